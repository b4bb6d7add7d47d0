// What the host asks for.
#pragma once
#include "reports.h"

enum Order : uint8_t { HELLO = 1, PING, ACK, NAK, CFG, TEST_ORDER, LED, SYNC, NAME };
static const uint8_t BODY_BYTES[] PROGMEM = {0, 5, 2, 2, 2, 4, 2, 6, 2, 8};  // by Order
static const uint32_t HOST_GONE_AFTER = 60000 * TICKS_PER_MS;
static uint32_t host_seen;

static inline uint16_t order16(uint8_t at) { return order[at] | ((uint16_t)order[at + 1] << 8); }
static inline uint32_t order32(uint8_t at) { return order16(at) | ((uint32_t)order16(at + 2) << 16); }

static void begin_session(uint32_t id, bool arm) {
  session = id;
  armed = arm;
  empty_ring();
  begin_pads();
}

static void greet() {
  const uint32_t id = order32(2);
  if (order[1] == PROTOCOL && id != session && id != 0 && brought_up && !(faults & LOOP_SLOW))
    begin_session(id, true);
  ident_wanted = true;
}

static void configure() {
  cfgack_pad = order[1];
  cfgack_field = order[2];
  cfgack_ok = set_field(cfgack_pad, cfgack_field, order16(3));
  cfgack_wanted = true;
  if (!cfgack_ok) return;
  if (cfgack_field == REFERENCE) OCR2A = kept.settings.reference;
  if (cfgack_field == WAVE) wave.after = 0;
  if (cfgack_field != KIND) return;
  note_analog_pads();
  rest_sum[cfgack_pad] = UNKNOWN;
  mask_out(pin_of(cfgack_pad));
  rest_pad(cfgack_pad, ticks());
}

static void take_name() {
  memcpy(kept.uid, order + 1, 8);
  faults &= ~NO_NAME;
  if (!has_name()) faults |= NO_NAME;
  saved_to = 0;
  ident_wanted = true;
}

static void pong() {
  pong_id = order16(1);
  pong_received = order_ended;
  pong_wanted = true;
}

static void obey(uint32_t now) {
  switch (order[0]) {
    case HELLO: greet(); break;
    case PING: pong(); break;
    case ACK: acknowledge(order16(1), now); break;
    case NAK: send_again_from(order16(1)); break;
    case CFG: configure(); break;
    case TEST_ORDER: begin_test(order[1], order[2], now); break;
    case LED: set_lamp_mode(order[1], order[2], order16(3), order16(5), now); break;
    case SYNC: set_sync(order16(1), now); break;
    case NAME: take_name(); break;
  }
}

// Whether there was one.
static bool take_orders(uint32_t now) {
  if (armed && now - host_seen >= HOST_GONE_AFTER) begin_session(0, false);
  if (order_count == 0) return false;
  const uint8_t type = order[0];
  if (type == 0 || type > NAME || order_count != 1 + pgm_read_byte(&BODY_BYTES[type])) {
    count_up(bad_frames);
  } else {
    host_seen = now;
    obey(now);
  }
  order_count = 0;
  return true;
}
