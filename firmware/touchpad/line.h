// The serial line: bytes, COBS, CRC-32. One frame goes out at a time, one is taken in at a time.
#pragma once
#include <avr/pgmspace.h>

#include "ticks.h"

static const uint8_t RAW_MOST = 60;      // type, body and CRC of the longest frame
static const uint8_t ORDER_MOST = 13;    // NAME: type, 8 bytes, CRC
static const uint8_t ENCODED_A_PASS = 5;  // bytes encoded in one pass of the loop
static const uint32_t CRC_GOOD = 0xDEBB20E3;  // CRC over a frame with its CRC, before inverting

// Outgoing. out[0] is the first COBS code, the raw bytes stand from out[1] on.
static uint8_t out[RAW_MOST + 2];
static uint8_t out_raw;      // raw bytes without CRC; 0: the line is free
static uint8_t out_encoded;  // raw bytes encoded so far
static uint8_t out_code;     // where the open COBS code stands
static uint8_t out_length;   // bytes to send; 0: still being encoded
static uint8_t out_sent;
static uint32_t out_crc;
static uint32_t out_not_before;
static bool out_waits;
static bool out_open;        // more is to be put into it in the next pass

// Incoming, decoded on the way.
static uint8_t in_bytes[ORDER_MOST];
static uint8_t in_count;
static uint8_t in_left;  // bytes until the next COBS code; 0: a code comes
static uint8_t in_code;
static uint32_t in_crc;
static bool in_broken;

// The last good frame, until take_orders() has it. The next cannot end sooner than 0.3 ms later.
static uint8_t order[ORDER_MOST];
static uint8_t order_count;
static uint32_t order_ended;

static uint16_t bad_frames;
static uint16_t overruns;

static inline void count_up(uint16_t &counter) {
  if (counter != 0xFFFF) counter++;
}

// CRC-32 (reflected, polynomial EDB88320) by whole bytes: by half bytes it took four times as long.
// The compiler works the table out.
constexpr uint32_t crc_entry(uint32_t crc, uint8_t bits) {
  return bits == 0 ? crc : crc_entry((crc >> 1) ^ (crc & 1 ? 0xEDB88320 : 0), bits - 1);
}
#define CRC_4(n) crc_entry(n, 8), crc_entry(n + 1, 8), crc_entry(n + 2, 8), crc_entry(n + 3, 8)
#define CRC_16(n) CRC_4(n), CRC_4(n + 4), CRC_4(n + 8), CRC_4(n + 12)
#define CRC_64(n) CRC_16(n), CRC_16(n + 16), CRC_16(n + 32), CRC_16(n + 48)
static const uint32_t CRC_TABLE[256] PROGMEM = {CRC_64(0), CRC_64(64), CRC_64(128), CRC_64(192)};

static uint32_t crc_step(uint32_t crc, uint8_t byte) {
  return (crc >> 8) ^ pgm_read_dword(&CRC_TABLE[(uint8_t)crc ^ byte]);
}

static void begin_line() {
  UBRR0 = 7;  // 250 000 baud, without error
  UCSR0A = _BV(U2X0);
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0);
  in_crc = 0xFFFFFFFF;
}

static inline void restart_receive() {
  in_count = in_left = in_code = 0;
  in_crc = 0xFFFFFFFF;
  in_broken = false;
}

static void end_received() {
  if (in_code == 0 && !in_broken) return;  // two 00 in a row
  if (!in_broken && in_left == 0 && in_count > 4 && in_crc == CRC_GOOD) {
    order_count = in_count - 4;
    memcpy(order, in_bytes, order_count);
    order_ended = ticks();
  } else {
    count_up(bad_frames);
  }
  restart_receive();
}

static inline void keep_received(uint8_t byte) {
  if (in_count == ORDER_MOST) {
    in_broken = true;
    return;
  }
  in_bytes[in_count++] = byte;
  in_crc = crc_step(in_crc, byte);
}

static void take_received(uint8_t byte) {
  if (byte == 0) {
    end_received();
  } else if (in_broken) {
    return;
  } else if (in_left == 0) {
    if (in_code != 0 && in_code != 0xFF) keep_received(0);
    in_code = byte;
    in_left = byte - 1;
  } else {
    in_left--;
    keep_received(byte);
  }
}

// The receiver holds two bytes and a half: called at least every 80 us.
static void poll_receive() {
  uint8_t status;
  while ((status = UCSR0A) & _BV(RXC0)) {
    const uint8_t byte = UDR0;
    if (status & _BV(DOR0)) {
      count_up(overruns);
      in_broken = true;
    }
    if (status & _BV(FE0)) in_broken = true;
    take_received(byte);
  }
}

static inline bool line_is_free() { return out_raw == 0; }

// Starts a frame; put_... follow, then the passes of poll_send() encode and send it.
static void start_frame(uint8_t type) {
  out[1] = type;
  out_raw = 1;
  out_encoded = out_length = out_sent = out_code = 0;
  out_crc = 0xFFFFFFFF;
  out_waits = false;
}

static inline void put8(uint8_t value) { out[1 + out_raw++] = value; }

static void put16(uint16_t value) {
  uint8_t *place = out + 1 + out_raw;
  place[0] = value;
  place[1] = value >> 8;
  out_raw += 2;
}

static void put32(uint32_t value) {
  put16(value);
  put16(value >> 16);
}

static void put_bytes(const uint8_t *bytes, uint8_t count) {
  memcpy(out + 1 + out_raw, bytes, count);
  out_raw += count;
}

// The frame's first byte leaves at this tick, not before.
static void send_not_before(uint32_t tick) {
  out_not_before = tick;
  out_waits = true;
}

static inline void stuff(uint8_t place) {
  if (out[place] != 0) return;
  out[out_code] = place - out_code;
  out_code = place;
}

static void end_encoding() {
  uint8_t place = 1 + out_raw;
  const uint32_t crc = ~out_crc;
  memcpy(out + place, &crc, 4);
  for (uint8_t end = place + 4; place < end; place++) stuff(place);
  out[out_code] = place - out_code;
  out[place] = 0;
  out_length = place + 1;
}

static void encode_some() {
  for (uint8_t n = 0; n < ENCODED_A_PASS; n++) {
    if (out_encoded == out_raw) {
      end_encoding();
      return;
    }
    const uint8_t place = ++out_encoded;
    out_crc = crc_step(out_crc, out[place]);
    stuff(place);
  }
}

static void poll_send(uint32_t now, bool may_encode) {
  if (out_raw == 0 || out_open) return;
  if (out_length == 0) {
    if (may_encode) encode_some();
    return;
  }
  if (out_waits) {
    if ((int32_t)(now - out_not_before) < 0) return;
    out_waits = false;
  }
  if (!(UCSR0A & _BV(UDRE0))) return;
  UDR0 = out[out_sent++];
  if (out_sent == out_length) out_raw = 0;
}
