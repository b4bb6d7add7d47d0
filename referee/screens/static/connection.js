// The WebSocket with the referee: documents kept up to date, declarations sent once, clocks asked.

const RETRY_MS = [250, 500, 1000, 2000, 3000];
const OLDEST_SAYING_MS = 8000;

/** Return an object after a JSON merge patch (RFC 7396); what did not change stays the same object. */
export function merged(old, patch) {
  const result = { ...old };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (isObject(value) && isObject(result[name])) result[name] = merged(result[name], value);
    else result[name] = value;
  }
  return result;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * One connection that is opened again whenever it breaks.
 * Events: `board`, `office` (detail: the document), `welcome`, `greeted`, `heard`, `link` (detail:
 * whether it is open), `refused` (detail: why).
 */
export class Connection extends EventTarget {
  constructor(hello) {
    super();
    this.hello = hello;
    this.docs = {};
    this.versions = {};
    this.waiting = new Map();
    this.failures = 0;
    this.build = null;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("message", (event) => this.take(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.closed());
  }

  closed() {
    this.versions = {};
    this.tell("link", false);
    const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    setTimeout(() => this.open(), wait * (0.8 + 0.4 * Math.random()));
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  take(message) {
    switch (message.type) {
      case "ping":
        this.send({ type: "pong", id: message.id, at_ms: performance.now() });
        break;
      case "welcome":
        this.welcome(message);
        break;
      case "greeted":
        this.greeted(message);
        break;
      case "full":
        this.show(message.doc, message.v, message.fields);
        break;
      case "patch":
        this.patch(message);
        break;
      case "heard":
        this.heard(message);
        break;
      case "error":
        this.tell("refused", message.reason);
        break;
    }
  }

  welcome(message) {
    // A newer referee serves other scripts than these: load them.
    if (this.build !== null && this.build !== message.build) location.reload();
    this.build = message.build;
    this.level = message.level;
    this.tell("welcome", message);
    this.send({ type: "hello", ...this.hello });
  }

  greeted(message) {
    this.failures = 0;
    this.tell("greeted", message);
    this.tell("link", true);
    for (const [id, { message: saying, pressed }] of this.waiting) {
      if (performance.now() - pressed < OLDEST_SAYING_MS) this.send(saying);
      else this.lost(id);
    }
  }

  lost(id) {
    this.waiting.delete(id);
    this.tell("heard", { id, result: "lost" });
  }

  patch(message) {
    if (this.versions[message.doc] !== message.base) {
      this.socket.close(); // a version is missing: begin afresh
      return;
    }
    this.show(message.doc, message.v, merged(this.docs[message.doc], message.patch));
  }

  show(doc, version, fields) {
    this.docs[doc] = fields;
    this.versions[doc] = version;
    this.tell(doc, fields);
  }

  heard(message) {
    this.waiting.delete(message.id);
    this.tell("heard", message);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Say something that must arrive once: sent again after a break, taken once by its id. */
  say(message, pressed = performance.now()) {
    const id = newId();
    const whole = { ...message, id, at_ms: pressed };
    this.waiting.set(id, { message: whole, pressed });
    this.send(whole);
    setTimeout(() => this.waiting.has(id) && this.lost(id), OLDEST_SAYING_MS);
    return id;
  }
}
