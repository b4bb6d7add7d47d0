// The one interrupt: at an edge, look at the port, look at the timer, keep both.
#pragma once
#include "ticks.h"

// A pad that was seen is masked until tend_one_pad() lets it in again, so six captures can wait
// at most and the queue of eight never overflows.
struct Capture {
  uint8_t pins;  // pads newly active, as bits of port D
  uint8_t low, high;
  uint8_t spare;
};
static const uint8_t CAPTURE_BYTES = 32;

volatile Capture capture_queue[8] __attribute__((used));
volatile uint8_t capture_head __attribute__((used));  // in bytes
volatile uint8_t short_pulses __attribute__((used));  // edges without a pad that is active
volatile uint8_t short_pulse_low __attribute__((used));
volatile uint8_t short_pulse_high __attribute__((used));
static uint8_t capture_tail;

static void begin_capture() {
  PCMSK2 = 0;
  PCIFR = _BV(PCIF2);
  PCICR = _BV(PCIE2);
}

// About 65 cycles from vector to reti. The port is read before anything else, then the timer.
ISR(PCINT2_vect, ISR_NAKED) {
  asm volatile(
      "push r24                    \n\t"
      "in   r24, %[pind]           \n\t"
      "push r25                    \n\t"
      "lds  r25, %[tcntl]          \n\t"  // latches the high byte
      "push r30                    \n\t"
      "in   r30, %[sreg]           \n\t"
      "push r30                    \n\t"
      "com  r24                    \n\t"  // active is low
      "lds  r30, %[mask]           \n\t"
      "and  r24, r30               \n\t"
      "breq 1f                     \n\t"
      "eor  r30, r24               \n\t"
      "sts  %[mask], r30           \n\t"
      "push r31                    \n\t"
      "lds  r30, %[head]           \n\t"
      "ldi  r31, 0                 \n\t"
      "subi r30, lo8(-(%[queue]))  \n\t"
      "sbci r31, hi8(-(%[queue]))  \n\t"
      "st   Z, r24                 \n\t"
      "std  Z+1, r25               \n\t"
      "lds  r25, %[tcnth]          \n\t"
      "std  Z+2, r25               \n\t"
      "lds  r30, %[head]           \n\t"
      "subi r30, -4                \n\t"
      "andi r30, %[size]-1         \n\t"
      "sts  %[head], r30           \n\t"
      "pop  r31                    \n\t"
      "rjmp 2f                     \n"
      "1:                          \n\t"
      "sts  %[rlow], r25           \n\t"
      "lds  r25, %[tcnth]          \n\t"
      "sts  %[rhigh], r25          \n\t"
      "lds  r25, %[pulses]         \n\t"
      "inc  r25                    \n\t"
      "sts  %[pulses], r25         \n"
      "2:                          \n\t"
      "pop  r30                    \n\t"
      "out  %[sreg], r30           \n\t"
      "pop  r30                    \n\t"
      "pop  r25                    \n\t"
      "pop  r24                    \n\t"
      "reti                        \n\t"
      :
      : [pind] "I"(_SFR_IO_ADDR(PIND)), [sreg] "I"(_SFR_IO_ADDR(SREG)),
        [tcntl] "n"(_SFR_MEM_ADDR(TCNT1L)), [tcnth] "n"(_SFR_MEM_ADDR(TCNT1H)),
        [mask] "n"(_SFR_MEM_ADDR(PCMSK2)), [head] "i"(&capture_head),
        [queue] "i"(&capture_queue), [size] "n"(CAPTURE_BYTES), [pulses] "i"(&short_pulses),
        [rlow] "i"(&short_pulse_low), [rhigh] "i"(&short_pulse_high));
}

// Lets a pad in again. The interrupt changes the mask as well, hence the 5 cycles without it.
static inline void unmask(uint8_t pins) {
  cli();
  PCMSK2 |= pins;
  sei();
}

static inline void mask_out(uint8_t pins) {
  cli();
  PCMSK2 &= ~pins;
  sei();
}
