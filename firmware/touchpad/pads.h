// The pads: from captures to hits, hold-off, and what keeps a pad from giving hits.
#pragma once
#include "analog.h"

// PROBING: let in again, but an edge still belongs to the hit before. READY: an edge is a hit.
enum State { OFF, SCANNING, PROBING, READY };
struct Pad {
  uint8_t state;
  uint8_t edges;   // in this quarter of a second
  uint8_t idle_at;  // in 33 ms
  coarse_t hit_at, active_at;
};
static Pad pads[PADS];
static uint8_t storming, wiring, stormed, chattered;  // pads as bits
static uint8_t test_pads;                         // their hits are a test's doing
static uint16_t runts, bounces, storms;
static uint8_t pulses_seen;
static uint16_t runt_stamp, capture_stamp;
static uint32_t runt_at, captured_at;
static bool runt_lately, busy_lately;
static uint8_t tended;
static coarse_t quarter_at;
static bool armed;

static const uint8_t STUCK_AFTER = 31;               // 1.02 s
static const coarse_t QUARTER = 250 * COARSE_PER_MS;
static const uint8_t CHATTER_EDGES = 16;
static const coarse_t PROBE_AFTER = 2;  // at most 4 captures a ms while bouncing
static const uint16_t SHADOW_WITHIN = 10;  // storing takes about 65 cycles, 8 ticks
static const uint16_t TAIL_WITHIN = 20;
static const uint16_t RUNT_WITHIN = 2 * TICKS_PER_MS;

static inline uint8_t pin_of(uint8_t pad) { return _BV(pad + 2); }
static inline uint8_t levels() { return (uint8_t)~PIND >> 2; }
static inline coarse_t hold_of(uint8_t pad) {
  // Never shorter than the scan window: a pad has one open hit at most.
  const uint8_t hold = kept.settings.pads[pad].hold_ms;
  const uint8_t scan = kept.settings.scan_ms;
  return (hold > scan ? hold : scan + 1) * COARSE_PER_MS;
}
static inline coarse_t quiet_of(uint8_t pad) {
  return kept.settings.pads[pad].quiet_ms * COARSE_PER_MS;
}

static void rest_pad(uint8_t pad, uint32_t now) {
  Pad &it = pads[pad];
  memset(&it, 0, sizeof(it));
  it.state = armed && kept.settings.pads[pad].kind != UNUSED ? PROBING : OFF;
  it.hit_at = it.active_at = coarse(now);
  it.idle_at = now >> 16;
  if (it.state == OFF) at_rest |= _BV(pad);
  else at_rest &= ~_BV(pad);
}

// Arms or disarms; a hand that rests on a pad gives no hit.
static void begin_pads() {
  mask_out(0xFF);
  const uint32_t now = ticks();
  for (uint8_t pad = 0; pad < PADS; pad++) rest_pad(pad, now);
  capture_tail = capture_head;
  stuck = storming = stormed = deaf = touched = 0;
}

// Whether the hit before is over: held off long enough, and quiet long enough. Signed: the pad may
// have been seen active just after an edge that still waits in the queue.
static inline bool is_over(const Pad &it, uint8_t pad, uint32_t t) {
  return (coarse_t)(coarse(t) - it.hit_at) >= hold_of(pad) &&
         (int16_t)(coarse(t) - it.active_at) >= (int16_t)quiet_of(pad);
}

static inline bool is_fresh(uint8_t pad, uint32_t t) {
  const Pad &it = pads[pad];
  return it.state == READY || (it.state == PROBING && is_over(it, pad, t));
}

static void begin_wave(uint32_t t) {
  if (wave.after != 0) return;
  wave.after = WAVE_AFTER;
  wave.seq = next_seq;
  wave.first = t;
}

static void strike(uint8_t pad, uint8_t bit, uint32_t t, uint8_t flags) {
  Pad &it = pads[pad];
  if (stormed & bit) flags |= STORM;
  if (test_pads & bit) flags |= TEST_FLAG;
  stormed &= ~bit;
  deaf &= ~bit;
  touched &= ~bit;
  at_rest &= ~bit;
  if (pad == wave_pad) begin_wave(t);
  open_hit(pad, t, flags, baseline_of(pad));
  it.state = SCANNING;
  it.hit_at = it.active_at = coarse(t);
  it.edges = 0;
}

static void bounce(uint8_t pad, uint32_t t) {
  Pad &it = pads[pad];
  it.active_at = coarse(t);
  if (it.edges != 255) it.edges++;
  count_up(bounces);
}

static uint8_t flags_of(uint16_t stamp) {
  uint8_t flags = 0;
  if (busy_lately && (uint16_t)(stamp - capture_stamp) < SHADOW_WITHIN) flags |= SHADOW;
  if (runt_lately) {
    const uint16_t ago = stamp - runt_stamp;
    if (ago < SHADOW_WITHIN) flags |= SHADOW;
    if (ago < RUNT_WITHIN) flags |= RUNT;
  }
  return flags;
}

static void take_capture(const volatile Capture &capture, uint32_t now) {
  const uint16_t stamp = ((uint16_t)capture.high << 8) | capture.low;
  const uint32_t t = lengthen(stamp, now);
  const uint8_t pins = capture.pins >> 2;
  uint8_t fresh = 0, flags = flags_of(stamp);
  // The bit is shifted along: the chip has no quick shift by a variable.
  uint8_t bit = 1;
  for (uint8_t pad = 0; pad < PADS; pad++, bit <<= 1)
    if ((pins & bit) && is_fresh(pad, t)) fresh |= bit;
  if (fresh & (fresh - 1)) flags |= TIE;
  bit = 1;
  for (uint8_t pad = 0; pad < PADS; pad++, bit <<= 1) {
    if (!(pins & bit)) continue;
    if (fresh & bit) strike(pad, bit, t, flags);
    else bounce(pad, t);
  }
  capture_stamp = stamp;
  captured_at = t;
  busy_lately = true;
}

// Edges whose pad was idle again when the interrupt looked. Taken before the captures, so that
// these know of a runt before them. Returns how many.
static uint8_t take_short_pulses(uint32_t now) {
  const uint8_t pulses = short_pulses;
  if (pulses == pulses_seen) return 0;
  const uint16_t stamp = ((uint16_t)short_pulse_high << 8) | short_pulse_low;
  if (pulses != short_pulses) return 0;  // another came meanwhile: next pass
  const uint8_t count = pulses - pulses_seen;
  pulses_seen = pulses;
  runt_stamp = stamp;
  runt_at = lengthen(stamp, now);
  runt_lately = true;
  return count;
}

// One that follows a capture at once is that capture's own tail (each edge of a tie raises the
// interrupt), and no runt.
static void count_runts(uint8_t count) {
  if (count == 0) return;
  if (busy_lately && (uint16_t)(runt_stamp - capture_stamp) < TAIL_WITHIN) {
    runt_lately = false;
    count--;
  }
  while (count--) count_up(runts);
}

// Whether there were any.
static bool take_captures(uint32_t now) {
  const uint8_t tail = capture_tail;
  const uint8_t pulses = take_short_pulses(now);
  while (capture_tail != capture_head) {
    take_capture(capture_queue[capture_tail / sizeof(Capture)], ticks());
    capture_tail = (capture_tail + sizeof(Capture)) & (CAPTURE_BYTES - 1);
  }
  count_runts(pulses);
  // 16-bit stamps say nothing once the timer has gone round.
  if (busy_lately && now - captured_at > TICKS_PER_MS) busy_lately = false;
  if (runt_lately && now - runt_at > RUNT_WITHIN) runt_lately = false;
  return capture_tail != tail;
}

// Every quarter of a second: a pad with many edges in two quarters is chattering.
static void watch_chatter(uint32_t now) {
  if ((coarse_t)(coarse(now) - quarter_at) < QUARTER) return;
  quarter_at = coarse(now);
  for (uint8_t pad = 0; pad < PADS; pad++) {
    const uint8_t bit = _BV(pad);
    const bool chatters = pads[pad].edges >= CHATTER_EDGES;
    pads[pad].edges = 0;
    if (chatters && (chattered & bit) && !(storming & bit)) {
      storming |= bit;
      count_up(storms);
    }
    if (chatters) chattered |= bit;
    else chattered &= ~bit;
  }
}

static void become_ready(uint8_t pad) {
  pads[pad].state = READY;
  chattered &= ~_BV(pad);
  at_rest |= _BV(pad);
  if (storming & _BV(pad)) stormed |= _BV(pad);
  storming &= ~_BV(pad);
}

static void probe(uint8_t pad, bool active, uint32_t now) {
  Pad &it = pads[pad];
  if (active) {
    it.active_at = coarse(now);
  } else if (!(PCMSK2 & pin_of(pad)) && (coarse_t)(coarse(now) - it.active_at) >= PROBE_AFTER) {
    unmask(pin_of(pad));
  }
  if (is_over(it, pad, now) && (PCMSK2 & pin_of(pad))) become_ready(pad);
}

static void watch_wiring(uint8_t pad) {
  if (rest_sum[pad] == UNKNOWN) return;
  const PadSettings &settings = kept.settings.pads[pad];
  const uint16_t rest = resting(pad);
  const bool sound = !is_analog(pad) || (rest >= settings.low4 * 4 && rest <= quarter_long(settings.high4));
  if (sound) wiring &= ~_BV(pad);
  else wiring |= _BV(pad);
}

static void watch_level(uint8_t pad, bool active, uint32_t now) {
  Pad &it = pads[pad];
  if (!active) {
    it.idle_at = now >> 16;
    stuck &= ~_BV(pad);
  } else if ((uint8_t)((uint8_t)(now >> 16) - it.idle_at) >= STUCK_AFTER) {
    stuck |= _BV(pad);
    it.idle_at = (uint8_t)(now >> 16) - STUCK_AFTER;  // stays so when the count goes round
    at_rest |= _BV(pad);             // what is held down is how it rests now
  }
}

static void tend_one_pad(uint32_t now) {
  if (++tended >= PADS) {
    tended = 0;
    watch_chatter(now);
  }
  const uint8_t pad = tended;
  Pad &it = pads[pad];
  watch_wiring(pad);
  if (it.state == OFF) return;
  const bool active = levels() & _BV(pad);
  watch_level(pad, active, now);
  if (it.state == SCANNING && (coarse_t)(coarse(now) - it.hit_at) > kept.settings.scan_ms * COARSE_PER_MS)
    it.state = PROBING;
  if (it.state == PROBING) probe(pad, active, now);
}

static void close_hit(Hit &hit) {
  const uint8_t pad = hit.pad;
  const uint16_t floor = kept.settings.pads[pad].floor4 * 4;
  if (peak_of(hit) >= 1020) hit.flags |= SAT;
  if (peak_of(hit) < hit.baseline + floor) hit.flags |= WEAK;
  if (levels() & _BV(pad)) hit.flags |= HELD;
}

// Widths grow while the pad is seen active; windows close in the order of the stamps.
static void close_hits(uint32_t now) {
  if (closed_seq == next_seq) return;
  const uint8_t active = levels();
  const uint32_t scan = kept.settings.scan_ms * TICKS_PER_MS;
  for (uint16_t seq = closed_seq; seq != next_seq; seq++) {
    Hit &hit = hit_of(seq);
    if ((active & _BV(hit.pad)) && now - hit.t < scan) hit.width = now - hit.t;
  }
  while (closed_seq != next_seq && now - hit_of(closed_seq).t >= scan) close_hit(hit_of(closed_seq++));
}
