// Sounds and spoken calls: a tone of its own for each kind of ruling, then the call in words.

import { make } from "./dom.js";
import { icon } from "./icons.js";

const KEY = "muted";
// Notes: frequency in Hz, start and length in s, wave, loudness. Told apart by rhythm and pitch.
const TONES = {
  fault: [[330, 0, 0.16, "square", 0.16], [233, 0.2, 0.34, "square", 0.18]],
  race: [[660, 0, 0.08, "triangle", 0.3], [880, 0.1, 0.08, "triangle", 0.3], [1175, 0.2, 0.2, "triangle", 0.3]],
  score: [[523, 0, 0.14, "sine", 0.3], [659, 0.14, 0.24, "sine", 0.3]],
  end: [[523, 0, 0.18, "triangle", 0.3], [659, 0.18, 0.18, "triangle", 0.3], [784, 0.36, 0.18, "triangle", 0.3], [1047, 0.54, 0.5, "triangle", 0.3]],
  query: [[587, 0, 0.14, "sine", 0.3], [784, 0.2, 0.22, "sine", 0.3]],
};
// What is called first when several rulings come at once.
const ORDER = ["fault", "query", "race", "end", "score"];
const BUZZ = { fault: [180, 80, 180], query: [80, 80, 80], race: [60], end: [300], score: [60] };

export class Sound {
  /** `loud` pages speak; `quiet` ones (players' phones) buzz, until sound is switched on. */
  constructor(kind) {
    this.key = `${KEY}-${kind}`;
    const kept = localStorage.getItem(this.key);
    this.muted = kept === null ? kind === "quiet" : kept === "yes";
    this.context = null;
    this.played = [];
    // Browsers let a page sound only after somebody touched it.
    const wake = () => this.wake();
    addEventListener("pointerdown", wake, { once: true });
    addEventListener("keydown", wake, { once: true });
  }

  wake() {
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume().then(() => this.drawButton());
    this.drawButton();
  }

  button() {
    this.toggler = make("button", { class: "tool" });
    this.toggler.addEventListener("click", () => this.toggle());
    this.drawButton();
    return this.toggler;
  }

  drawButton() {
    const word = this.muted ? "Sound is off" : this.context ? "Sound is on" : "Sound: touch the page once";
    this.toggler.replaceChildren(icon(this.muted ? "mute" : "sound"));
    this.toggler.setAttribute("aria-label", word);
    this.toggler.setAttribute("aria-pressed", String(!this.muted));
    this.toggler.title = `${word} (Shift+M)`;
  }

  toggle() {
    this.muted = !this.muted;
    localStorage.setItem(this.key, this.muted ? "yes" : "no");
    this.wake();
    if (this.muted) window.speechSynthesis?.cancel();
  }

  /** Announce rulings that came together: the gravest sounds, all of them are called. */
  rulings(rulings) {
    const sorted = [...rulings].sort((a, b) => ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone));
    const first = sorted[0].tone;
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ[first] ?? []);
    this.played.push(...sorted.map((ruling) => ruling.id));
    if (this.muted) return;
    this.play(first);
    this.call(sorted);
  }

  play(tone) {
    if (this.context?.state !== "running") return;
    const begin = this.context.currentTime + 0.02;
    for (const [hz, start, length, wave, loudness] of TONES[tone] ?? []) {
      const note = this.context.createOscillator();
      const volume = this.context.createGain();
      note.type = wave;
      note.frequency.value = hz;
      volume.gain.setValueAtTime(0, begin + start);
      volume.gain.linearRampToValueAtTime(loudness, begin + start + 0.01);
      volume.gain.setTargetAtTime(0, begin + start + length - 0.04, 0.03);
      note.connect(volume).connect(this.context.destination);
      note.start(begin + start);
      note.stop(begin + start + length + 0.2);
    }
  }

  call(rulings) {
    const voice = offlineVoice();
    if (!voice) {
      this.callRecorded(rulings);
      return;
    }
    speechSynthesis.cancel();
    const said = new SpeechSynthesisUtterance(rulings.map((ruling) => ruling.head).join(". "));
    said.voice = voice;
    said.lang = voice.lang;
    said.rate = 1.05;
    setTimeout(() => speechSynthesis.speak(said), 450);
  }

  /** The shipped words, one after another, where the browser has no voice of its own. */
  async callRecorded(rulings) {
    if (this.context?.state !== "running") return;
    let at = this.context.currentTime + 0.6;
    for (const word of rulings.flatMap(recordedWords)) {
      const sound = await this.recorded(word);
      if (!sound) continue;
      const source = this.context.createBufferSource();
      source.buffer = sound;
      source.connect(this.context.destination);
      at = Math.max(at, this.context.currentTime);
      source.start(at);
      at += sound.duration;
    }
  }

  async recorded(word) {
    this.words ??= new Map();
    if (!this.words.has(word)) {
      const answer = await fetch(`/words/${word}.mp3`);
      const sound = answer.ok ? await this.context.decodeAudioData(await answer.arrayBuffer()) : null;
      this.words.set(word, sound);
    }
    return this.words.get(word);
  }
}

/** The shipped words that call a ruling: who, and what. */
export function recordedWords(ruling) {
  const won = ["race", "end"].includes(ruling.tone) && ruling.winner !== "tie";
  const seat = (won && ruling.winner) || ruling.seats?.[0];
  const who = seat ? [`player-${seat.toLowerCase()}`] : [];
  switch (ruling.tone) {
    case "fault":
      return ["fault", ...who];
    case "race":
      if (ruling.winner && ruling.winner !== "tie") return [...who, "was-first"];
      return [ruling.head?.startsWith("Too close") ? "too-close" : "dead-heat"];
    case "end":
      if (ruling.winner === "tie") return ["a-draw"];
      return ruling.winner ? [...who, "wins"] : ["the-hand-is-over"];
    case "score":
      return ["score"];
    case "query":
      return ["the-referee-asks"];
  }
  return [];
}

function offlineVoice() {
  const voices = window.speechSynthesis?.getVoices() ?? [];
  return voices.find((voice) => voice.localService && voice.lang.startsWith("en"));
}
