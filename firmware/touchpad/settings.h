// The settings and the board's name: in RAM, and kept in the EEPROM byte by byte.
#pragma once
#include <avr/eeprom.h>

#include "line.h"

static const uint8_t PADS = 6;
enum Kind { UNUSED, PIEZO, FSR, SWITCH, PLAIN_SWITCH, KINDS };
enum Field { KIND, FLOOR, HOLD_MS, QUIET_MS, WIRING_LOW, WIRING_HIGH, SCAN_MS = 16, REFERENCE, WAVE };
static const uint8_t WHOLE_BOARD = 255;

struct PadSettings {
  uint8_t kind, floor4, hold_ms, quiet_ms, low4, high4;  // ...4: in steps of 4
};
struct Settings {
  PadSettings pads[PADS];
  uint8_t scan_ms, reference;
};

// As it stands in the EEPROM, from address 0.
struct Kept {
  uint16_t magic;
  uint8_t uid[8];
  uint32_t boot;
  Settings settings;
  uint32_t settings_crc;
};
static const uint16_t MAGIC = 0x5054;

static Kept kept;
static uint8_t saved_to;  // bytes of `kept` known to be in the EEPROM
static uint8_t summed = sizeof(Settings);  // bytes of the settings in summed_crc
static uint32_t summed_crc;
static uint8_t wave_pad = WHOLE_BOARD;

enum Fault { LOOP_SLOW = 1, EEPROM_BROKEN = 2, NO_NAME = 4, BY_WATCHDOG = 8, SUPPLY_OFF = 16 };
static uint8_t faults;

static uint32_t crc_of_settings() {
  const uint8_t *bytes = (const uint8_t *)&kept.settings;
  uint32_t crc = 0xFFFFFFFF;
  for (uint8_t n = 0; n < sizeof(Settings); n++) {
    crc = crc_step(crc, bytes[n]);
    if ((n & 7) == 7) poll_receive();
  }
  return ~crc;
}

// What suits a kind of pad with the parts of WIRING.md: floor, lowest and highest resting level.
static void suit_kind(PadSettings &pad, uint8_t kind) {
  pad.kind = kind;
  pad.floor4 = kind == PIEZO ? 24 / 4 : kind == FSR ? 40 / 4 : 0;
  pad.low4 = kind == PIEZO ? 120 / 4 : kind == FSR ? 40 / 4 : 0;
  pad.high4 = kind == PIEZO ? 280 / 4 : kind == SWITCH ? 900 / 4 : 255;
}

static void default_settings() {
  for (uint8_t pad = 0; pad < PADS; pad++) {
    PadSettings &settings = kept.settings.pads[pad];
    suit_kind(settings, pad < 2 ? PLAIN_SWITCH : UNUSED);
    settings.hold_ms = 20;
    settings.quiet_ms = 5;
  }
  kept.settings.scan_ms = 4;
  kept.settings.reference = 60;
  kept.settings_crc = crc_of_settings();
}

static bool has_name() {
  for (uint8_t n = 0; n < 8; n++)
    if (kept.uid[n] != 0xFF) return true;
  return false;
}

static void load_settings() {
  eeprom_read_block(&kept, 0, sizeof(Kept));
  if (kept.magic != MAGIC) {  // a new board
    memset(kept.uid, 0xFF, sizeof(kept.uid));
    kept.magic = MAGIC;
    kept.boot = 0;
    default_settings();
  } else if (kept.settings_crc == 0xFFFFFFFF && kept.settings.pads[0].kind == 0xFF) {
    default_settings();  // named, and nothing else written yet
  } else if (kept.settings_crc != crc_of_settings()) {
    faults |= EEPROM_BROKEN;
    default_settings();
  }
  kept.boot++;
  if (!has_name()) faults |= NO_NAME;
}

static inline bool settings_are_summed() { return summed == sizeof(Settings); }

// A few bytes a pass.
static void sum_settings() {
  for (uint8_t n = 0; n < 8 && !settings_are_summed(); n++)
    summed_crc = crc_step(summed_crc, ((const uint8_t *)&kept.settings)[summed++]);
  if (!settings_are_summed()) return;
  kept.settings_crc = ~summed_crc;
  saved_to = 0;
}

// One byte a pass, and only where it differs: a byte takes 3.4 ms and wears the cell.
static void save_settings() {
  if (!settings_are_summed()) {
    sum_settings();
    return;
  }
  if (saved_to == sizeof(Kept) || !eeprom_is_ready()) return;
  const uint8_t *place = (const uint8_t *)(uint16_t)saved_to;
  const uint8_t byte = ((const uint8_t *)&kept)[saved_to++];
  if (eeprom_read_byte(place) != byte) eeprom_write_byte((uint8_t *)place, byte);
}

static inline uint8_t used_pads() {
  uint8_t used = 0;
  for (uint8_t pad = 0; pad < PADS; pad++)
    if (kept.settings.pads[pad].kind != UNUSED) used |= _BV(pad);
  return used;
}

static bool set_pad_field(PadSettings &pad, uint8_t field, uint16_t value) {
  const uint8_t quarter = value >= 1023 ? 255 : value / 4;
  switch (field) {
    case KIND:
      if (value >= KINDS) return false;
      suit_kind(pad, value);
      return true;
    case FLOOR:
      if (value > 1020) return false;
      pad.floor4 = quarter;
      return true;
    case HOLD_MS:
      if (value < 5 || value > 250) return false;
      pad.hold_ms = value;
      return true;
    case QUIET_MS:
      if (value < 1 || value > 50) return false;
      pad.quiet_ms = value;
      return true;
    case WIRING_LOW:
      if (value > 1020) return false;
      pad.low4 = quarter;
      return true;
    case WIRING_HIGH:
      if (value > 1023) return false;
      pad.high4 = quarter;
      return true;
  }
  return false;
}

static bool set_board_field(uint8_t field, uint16_t value) {
  switch (field) {
    case SCAN_MS:
      if (value < 1 || value > 30) return false;
      kept.settings.scan_ms = value;
      return true;
    case REFERENCE:
      if (value > 255) return false;
      kept.settings.reference = value;
      return true;
    case WAVE:
      if (value >= PADS && value != WHOLE_BOARD) return false;
      wave_pad = value;
      return true;
  }
  return false;
}

// False: refused, nothing changed. The CRC follows in the next passes.
static bool set_field(uint8_t pad, uint8_t field, uint16_t value) {
  if (pad < PADS ? !set_pad_field(kept.settings.pads[pad], field, value)
                 : pad != WHOLE_BOARD || !set_board_field(field, value))
    return false;
  summed = 0;
  summed_crc = 0xFFFFFFFF;
  return true;
}

static inline uint16_t quarter_long(uint8_t quarter) { return quarter == 255 ? 1023 : quarter * 4; }

static uint16_t field_value(uint8_t pad, uint8_t field) {
  if (pad == WHOLE_BOARD)
    return field == SCAN_MS ? kept.settings.scan_ms
           : field == REFERENCE ? kept.settings.reference
           : field == WAVE ? wave_pad : 0;
  if (pad >= PADS) return 0;
  const PadSettings &settings = kept.settings.pads[pad];
  switch (field) {
    case KIND: return settings.kind;
    case FLOOR: return settings.floor4 * 4;
    case HOLD_MS: return settings.hold_ms;
    case QUIET_MS: return settings.quiet_ms;
    case WIRING_LOW: return quarter_long(settings.low4);
    case WIRING_HIGH: return quarter_long(settings.high4);
  }
  return 0;
}
