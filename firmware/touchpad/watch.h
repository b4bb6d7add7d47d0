// What watches the board itself: the watchdog, the loop's time, the bring-up test.
#pragma once
#include <avr/wdt.h>

#include "pads.h"

static const uint16_t LOOP_MOST_US = 200;
static const uint32_t BRING_UP = 200 * TICKS_PER_MS;
static const uint16_t RESTART_MARK = 0xA55A;

static uint16_t restart_mark __attribute__((section(".noinit")));
static uint8_t reset_cause;
static uint32_t loop_began;
static uint16_t longest_loop_us, slowest_at_start_us;
static bool brought_up;

// Restarts the sketch and not the chip: old Nano boot loaders never come out of a watchdog reset.
// If even this does not run, the watchdog resets the chip a quarter of a second later.
ISR(WDT_vect, ISR_NAKED) {
  asm volatile("clr __zero_reg__");
  restart_mark = RESTART_MARK;
  asm volatile("jmp 0");
}

static void note_reset_cause() {
  reset_cause = MCUSR & 15;
  MCUSR = 0;
  if (restart_mark == RESTART_MARK) reset_cause |= 16;
  restart_mark = 0;
  if (reset_cause & 24) faults |= BY_WATCHDOG;
}

static void begin_watchdog() {
  wdt_reset();
  WDTCSR = _BV(WDCE) | _BV(WDE);
  WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP2);  // 250 ms, first the interrupt, then a reset
  loop_began = ticks();
}

static void end_bring_up() {
  brought_up = true;
  if (slowest_at_start_us > LOOP_MOST_US) faults |= LOOP_SLOW;
}

static void watch_loop(uint32_t now) {
  wdt_reset();
  const uint32_t spent_us = (now - loop_began) / 2;
  loop_began = now;
  if (spent_us > longest_loop_us) longest_loop_us = spent_us > 0xFFFF ? 0xFFFF : spent_us;
  if (brought_up) return;
  if (longest_loop_us > slowest_at_start_us) slowest_at_start_us = longest_loop_us;
  if (now >= BRING_UP) end_bring_up();
}
