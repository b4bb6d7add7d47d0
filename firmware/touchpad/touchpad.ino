// Pad board of the table referee: stamps touches on up to six pads to half a microsecond.
//
// For Arduino Uno and Nano (ATmega328P, 16 MHz). What it says on the line is in ../PROTOCOL.md,
// what is soldered to it in ../WIRING.md. Open this folder in the Arduino IDE and upload, or run
// `make` one folder up.
//
// One interrupt stamps the pads; all else is polled in one loop, which must come round within
// 0.2 ms. No millis(), no Serial: the core's timer interrupt would delay stamps.

#include "ticks.h"
#include "capture.h"
#include "line.h"
#include "settings.h"
#include "ring.h"
#include "analog.h"
#include "pads.h"
#include "watch.h"
#include "lamp.h"
#include "syncwire.h"
#include "selftest.h"
#include "reports.h"
#include "orders.h"

static void begin_pins() {
  DDRD = 0;
  PORTD = 0xFC;  // pull-ups: a pad pulls its pin down
  DDRB = _BV(1) | _BV(3) | _BV(5);  // LED, reference, LED; D8 is the sync wire
  PORTB = _BV(0);
  DDRC = 0;
  PORTC = 0;
}

void setup() {
  cli();
  note_reset_cause();
  TIMSK0 = 0;  // the core's 1 ms interrupt
  begin_pins();
  begin_ticks();
  begin_line();
  load_settings();
  begin_reference();
  begin_analog();
  begin_pads();
  begin_capture();
  begin_watchdog();
  sei();
}

void loop() {
  bool had_touch = false;
  for (;;) {
    const uint32_t began = ticks();
    had_touch = take_captures(began) && !had_touch;
    const uint32_t now = ticks();  // no stamp that was taken so far is later
    poll_receive();
    // A touch, an order, a new frame: one of them in a pass, or the pass would be a long one.
    const bool had_work = had_touch || take_orders(now);
    if (!had_work) choose_frame(now);
    poll_receive();
    poll_send(now, !had_work);
    poll_receive();
    scan_analog(now);
    tend_one_pad(now);
    poll_receive();
    close_hits(now);
    poll_receive();
    read_sync_wire(now);
    tend_lamp(now);
    if (test_kind != NO_TEST) tend_test(now);
    save_settings();
    scan_analog(now);  // a reading takes half a pass
    poll_receive();
    watch_loop(began);
  }
}
