// Tests asked for by the host: charge a pad's line, sweep the reference, wait for a tap.
#pragma once
#include "syncwire.h"

enum Test { NO_TEST, PULSE, SWEEP, TAP };
static uint8_t test_kind, test_pad, test_step;
static uint32_t test_due, test_ends;
static uint16_t test_seq;
static uint16_t test_values[4];
static uint8_t tested_kind, tested_pad;
static bool tested_wanted, test_refused;  // a TESTED frame waits

static const uint16_t REFUSED = 0xFFFF;
static const uint8_t SWEEP_STEP = 4;
static const uint32_t SWEEP_EACH = 15 * TICKS_PER_MS;
static const uint32_t SETTLE = 150 * TICKS_PER_MS;  // the reference's capacitor
static const uint32_t TAP_WITHIN = 2000 * TICKS_PER_MS;

static void answer_test(uint8_t kind, uint8_t pad, bool refused) {
  tested_kind = kind;
  tested_pad = pad;
  test_refused = refused;
  tested_wanted = true;
}

static void end_test() {
  answer_test(test_kind, test_pad, false);
  test_kind = NO_TEST;
  only_pad = NO_PAD;
  test_pads = 0;
}

static void begin_test(uint8_t kind, uint8_t pad, uint32_t now) {
  const bool analog = pad < PADS && (kept.settings.pads[pad].kind == PIEZO || kept.settings.pads[pad].kind == FSR);
  const bool known = kind == TAP ? pad < PADS && armed : (kind == PULSE || kind == SWEEP) && analog;
  if (test_kind != NO_TEST || !known) {
    answer_test(kind, pad, true);
    return;
  }
  test_kind = kind;
  test_pad = pad;
  test_step = 0;
  test_due = now;
  test_ends = now + TAP_WITHIN;
  test_seq = next_seq;
  memset(test_values, 0, sizeof(test_values));
}

static void tend_pulse(uint32_t now) {
  const uint8_t pin = _BV(test_pad);
  if ((int32_t)(now - test_due) < 0) return;
  switch (test_step++) {
    case 0:
      test_values[0] = resting(test_pad);
      test_pads = pin;
      only_pad = test_pad;
      PORTC |= pin;
      DDRC |= pin;
      test_due = now + 2 * TICKS_PER_MS;
      break;
    case 1:
      DDRC &= ~pin;
      PORTC &= ~pin;
      test_due = now + TICKS_PER_MS / 10;  // two readings: the first may be an old one
      break;
    case 2:
      test_values[1] = last_reading;
      test_due = now + TICKS_PER_MS;
      break;
    case 3:
      test_values[2] = last_reading;
      test_due = now + 9 * TICKS_PER_MS;
      break;
    case 4:
      test_values[3] = last_reading;
      only_pad = NO_PAD;
      test_due = now + 50 * TICKS_PER_MS;  // what still rings is the test's
      break;
    default:
      end_test();
  }
}

static void tend_sweep(uint32_t now) {
  if ((int32_t)(now - test_due) < 0) return;
  if (test_step == 0) {
    test_values[1] = resting(test_pad);
    test_pads = 0x3F;
    test_step = 1;
    OCR2A = 255;
    test_due = now + SETTLE;
  } else if (test_step == 1) {
    const uint8_t reference = OCR2A;
    const bool tripped = levels() & _BV(test_pad);
    if (!tripped && reference > SWEEP_STEP) {
      OCR2A = reference - SWEEP_STEP;
      test_due = now + SWEEP_EACH;
      return;
    }
    if (tripped) test_values[0] = reference;
    OCR2A = kept.settings.reference;
    test_step = 2;
    test_due = now + SETTLE;
  } else {
    end_test();
  }
}

static void tend_tap(uint32_t now) {
  for (uint16_t seq = test_seq; seq != closed_seq; seq++) {
    const Hit &hit = hit_of(seq);
    if (hit.pad != test_pad) continue;
    test_values[0] = 1;
    test_values[1] = peak_of(hit);
    test_values[2] = hit.baseline;
    test_values[3] = hit.width / 2;
    end_test();
    return;
  }
  test_seq = closed_seq;
  if ((int32_t)(now - test_ends) >= 0) end_test();
}

static void tend_test(uint32_t now) {
  if (test_kind == PULSE) tend_pulse(now);
  else if (test_kind == SWEEP) tend_sweep(now);
  else if (test_kind == TAP) tend_tap(now);
}
