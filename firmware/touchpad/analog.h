// The analog inputs: scanned one after the other for peaks, resting levels and noise.
#pragma once
#include "ring.h"

// 500 kHz: 26 us a reading and still 9 good bits (data sheet: above 200 kHz less than 10).
static const uint8_t CONVERT = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS0);
static const uint8_t REF_SUPPLY = _BV(REFS0);
static const uint8_t REF_1V1 = _BV(REFS1) | _BV(REFS0);
static const uint8_t CHANNEL_BANDGAP = 14, CHANNEL_TEMPERATURE = 8;
static const uint8_t NO_PAD = 255;
static const uint8_t REST_SHIFT = 6;
static const uint16_t UNKNOWN = 0xFFFF;  // more than 1023 times 64
// A resting level is fed with every eighth reading: about 80 ms to follow with six pads.
static const uint8_t REST_EVERY = 8;
// The comparators' own spread and the divider's: a touch that is this far over the reference
// must have been stamped.
static const uint16_t DEAF_MARGIN = 40;
static const uint16_t SWITCH_DOWN = 200;  // a closed switch reads about 0, an open one over 600
static const uint8_t DEAF_AFTER = 3 * COARSE_PER_MS;

static uint16_t rest_sum[PADS];  // resting level times 64
static uint8_t noise[PADS];
static uint8_t touched_at[PADS];    // in 0.128 ms, over again after 32 ms
static uint8_t analog_pads;
static uint8_t touched, deaf;   // pads as bits
static uint8_t at_rest, stuck;  // kept by pads.h
static uint8_t channel;
static uint8_t skip_rest;
static uint8_t only_pad = NO_PAD;  // set by a test: this input alone is read
static uint16_t last_reading;      // of only_pad
static uint8_t supply_readings;    // left to take, 0: none wanted
static uint16_t supply_mv;
static int16_t temperature_dc;

struct Wave {
  uint8_t samples[32];
  uint8_t at;      // the oldest of them
  uint8_t after;   // readings still wanted after the hit; 0: rolling; 255: ready to be sent
  uint16_t seq;
  uint32_t first, last;
};
static Wave wave;
static const uint8_t WAVE_AFTER = 24, WAVE_READY = 255;

static inline bool is_analog(uint8_t pad) { return analog_pads & _BV(pad); }

static void note_analog_pads() {
  analog_pads = 0;
  for (uint8_t pad = 0; pad < PADS; pad++) {
    const uint8_t kind = kept.settings.pads[pad].kind;
    if (kind != UNUSED && kind != PLAIN_SWITCH) analog_pads |= _BV(pad);
  }
}

static inline uint16_t resting(uint8_t pad) { return rest_sum[pad] >> REST_SHIFT; }

// A switch pulls its input down; its peaks and baselines are turned over to compare with others.
static inline uint16_t upright(uint8_t pad, uint16_t reading) {
  return kept.settings.pads[pad].kind == SWITCH ? 1023 - reading : reading;
}

static uint16_t baseline_of(uint8_t pad) {
  return is_analog(pad) ? upright(pad, resting(pad)) : 0;
}

static uint16_t convert_now(uint8_t mux) {
  ADMUX = mux;
  ADCSRA = CONVERT;
  while (ADCSRA & _BV(ADSC)) {
  }
  return ADC;
}

// Data sheet 24.8: 314 at 25 degrees, 1.22 a degree. The reference's capacitor needs time, so
// this is done once, before the loop begins.
static void measure_temperature() {
  uint32_t sum = 0;
  ADMUX = REF_1V1 | CHANNEL_TEMPERATURE;
  _delay_ms(10);
  convert_now(REF_1V1 | CHANNEL_TEMPERATURE);
  for (uint8_t n = 0; n < 8; n++) sum += convert_now(REF_1V1 | CHANNEL_TEMPERATURE);
  temperature_dc = 250 + ((int16_t)(sum - 8 * 314) * 10) / 10;  // 8 readings: 9.8 counts a degree
  ADMUX = REF_SUPPLY;
  _delay_ms(10);
}

static void begin_analog() {
  DIDR0 = 0x3F;
  ADCSRB = 0;
  note_analog_pads();
  measure_temperature();
  memset(rest_sum, 0xFF, sizeof(rest_sum));
}

static inline void begin_reference() {
  TCCR2A = _BV(COM2A1) | _BV(WGM21) | _BV(WGM20);  // fast PWM on D11, 7.8 kHz
  TCCR2B = _BV(CS21);
  OCR2A = kept.settings.reference;
}

static void follow_rest(uint8_t pad, uint16_t reading) {
  if (!(at_rest & _BV(pad))) return;
  if (rest_sum[pad] == UNKNOWN) rest_sum[pad] = reading << REST_SHIFT;
  const uint16_t rest = resting(pad);
  const uint16_t off = reading > rest ? reading - rest : rest - reading;
  if (off > noise[pad]) noise[pad] = off > 255 ? 255 : off;
  if (skip_rest == 0) rest_sum[pad] += reading - rest;
}

// A touch that the comparator should have told of, and did not.
static void listen(uint8_t pad, uint16_t reading, uint32_t now) {
  const bool beyond = kept.settings.pads[pad].kind == SWITCH
                          ? reading < SWITCH_DOWN
                          : reading > kept.settings.reference * 4 + DEAF_MARGIN;
  const uint8_t bit = _BV(pad);
  if (!(at_rest & bit) || (stuck & bit)) {
    touched &= ~bit;
  } else if (!(touched & bit)) {
    if (!beyond) return;
    touched |= bit;
    touched_at[pad] = coarse(now);
  } else if ((uint8_t)(coarse(now) - touched_at[pad]) >= DEAF_AFTER) {
    deaf |= bit;
    touched &= ~bit;
  }
}

static void add_to_wave(uint16_t reading, uint32_t now) {
  if (wave.after == WAVE_READY) return;
  wave.samples[wave.at] = reading / 4;
  wave.at = (wave.at + 1) & 31;
  if (wave.after == 0) return;
  wave.last = now;
  if (--wave.after == 0) wave.after = WAVE_READY;
}

static uint8_t next_channel() {
  if (only_pad != NO_PAD) return only_pad;
  if (analog_pads == 0) return 0;
  do {
    if (++channel >= PADS) {
      channel = 0;
      skip_rest = (skip_rest + 1) & (REST_EVERY - 1);
    }
  } while (!is_analog(channel));
  return channel;
}

static void take_supply(uint16_t reading) {
  // The first readings charge the input from its weak source.
  if (--supply_readings == 0 && reading != 0) supply_mv = 1100UL * 1024 / reading;
}

static void take_reading(uint8_t pad, uint16_t reading, uint32_t now) {
  last_reading = reading;
  if (pad >= PADS || !is_analog(pad)) return;
  if (closed_seq != next_seq) add_peak(pad, upright(pad, reading));
  if (pad == wave_pad) add_to_wave(reading, now);
  if (only_pad != NO_PAD) return;
  listen(pad, reading, now);
  follow_rest(pad, reading);
}

// The reading is fetched before the input is switched: right on silicon and in simulators.
static void scan_analog(uint32_t now) {
  if (ADCSRA & _BV(ADSC)) return;
  const uint16_t reading = ADC;
  const uint8_t source = ADMUX & 15;
  if (source == CHANNEL_BANDGAP) {
    if (supply_readings != 0) take_supply(reading);
  } else {
    take_reading(source, reading, now);
  }
  if (closed_seq != next_seq) supply_readings = 0;  // a hit needs every reading
  const bool supply = supply_readings != 0 && only_pad == NO_PAD;
  ADMUX = REF_SUPPLY | (supply ? CHANNEL_BANDGAP : next_channel());
  ADCSRA = CONVERT;
}
