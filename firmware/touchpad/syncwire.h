// The wire between boards on D8: pulled down by one, stamped by all with the timer's hardware.
#pragma once
#include "lamp.h"

static const uint32_t SYNC_PULSE = TICKS_PER_MS / 10;
static uint16_t sync_period_ms;
static uint32_t sync_due, sync_pulled;
static bool sync_down, sync_mine;
static bool synced_wanted;  // a SYNCED frame waits
static uint32_t synced_at;
static uint16_t synced_count;
static bool synced_mine;

static void set_sync(uint16_t period_ms, uint32_t now) {
  sync_period_ms = period_ms != 0 && period_ms < 20 ? 20 : period_ms;
  sync_due = now;
}

static void pull_wire(uint32_t now) {
  PORTB &= ~_BV(0);
  DDRB |= _BV(0);
  sync_down = sync_mine = true;
  sync_pulled = now;
  sync_due += sync_period_ms * TICKS_PER_MS;
}

static void let_go_wire() {
  DDRB &= ~_BV(0);
  PORTB |= _BV(0);
  sync_down = false;
}

static void stamp_wire(uint32_t now) {
  synced_at = lengthen(timer_register(ICR1), now);
  TIFR1 = _BV(ICF1);
  synced_count++;
  synced_mine = sync_mine;
  sync_mine = false;
  synced_wanted = true;
}

static void read_sync_wire(uint32_t now) {
  if (sync_down) {
    if (now - sync_pulled >= SYNC_PULSE) let_go_wire();
  } else if (sync_period_ms != 0 && (int32_t)(now - sync_due) >= 0) {
    pull_wire(now);
  }
  if (TIFR1 & _BV(ICF1)) stamp_wire(ticks());
}
