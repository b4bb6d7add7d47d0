// A second opinion on row 1: how far stamps spread, in avr8js instead of simavr.
//
//   make -C firmware/sim second          (Node 18 or newer, npm)
//
// The released .hex runs in virtual time. All six pads are plain switches and are touched one
// after the other at random phases while pings and acknowledgements run. Prints one JSON object.
import { readFileSync } from "node:fs";
import * as avr from "avr8js";

const [, , hexFile, touchesText = "10000", seedText = "11"] = process.argv;
const TOUCHES = Number(touchesText);
const HZ = 16e6, MS = HZ / 1000, BYTE = 640; // 250 000 baud, 10 bits
const UDR0 = 0xc6, UCSR0A = 0xc0, PCMSK2 = 0x6d, TIFR1 = 0x36, RXC = 0x80;
const HELLO = 1, PING = 2, ACK = 3, CFG = 5, IDENT = 0x81, HIT = 0x82, STAT = 0x85;
const KIND = 0, HOLD_MS = 2, QUIET_MS = 3, PLAIN_SWITCH = 4, PADS = 6;
const SESSION = 0x5ea7, WRAP = 2 ** 32;

// mulberry32, so that a seed gives the same run everywhere
let state = Number(seedText) >>> 0;
function chance() {
  state = (state + 0x6d2b79f5) >>> 0;
  let x = Math.imul(state ^ (state >>> 15), state | 1);
  x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
  return ((x ^ (x >>> 14)) >>> 0) / WRAP;
}

function readHex(name) {
  const flash = new Uint8Array(0x8000).fill(0xff);
  for (const line of readFileSync(name, "ascii").split("\n")) {
    const bytes = Buffer.from(line.slice(1).trim(), "hex");
    if (bytes.length && bytes[3] === 0) {
      flash.set(bytes.subarray(4, 4 + bytes[0]), (bytes[1] << 8) | bytes[2]);
    }
  }
  return new Uint16Array(flash.buffer);
}

// ---- frames, as in PROTOCOL.md

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const u16 = (value) => [value & 255, (value >> 8) & 255];
const u32 = (value) => [...u16(value), ...u16(value >>> 16)];

function frame(type, ...body) {
  const out = [0];
  let code = 0;
  for (const byte of [type, ...body, ...u32(crc32([type, ...body]))]) {
    if (byte) out.push(byte);
    else {
      out[code] = out.length - code;
      code = out.push(0) - 1;
    }
  }
  out[code] = out.length - code;
  return [...out, 0];
}

function unframed(bytes) {
  const out = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at];
    out.push(...bytes.slice(at + 1, at + length), 0);
    at += length;
  }
  out.pop();
  const body = Buffer.from(out);
  const whole = body.length > 4 && crc32(body.subarray(0, -4)) === body.readUInt32LE(body.length - 4);
  return whole ? body.subarray(0, -4) : null;
}

// ---- the chip

const cpu = new avr.CPU(readHex(hexFile), 2048);
const port = new avr.AVRIOPort(cpu, avr.portDConfig);
new avr.AVRIOPort(cpu, avr.portBConfig).setPin(0, true); // nothing pulls the sync wire
new avr.AVRIOPort(cpu, avr.portCConfig);
for (const config of [avr.timer0Config, avr.timer1Config, avr.timer2Config]) new avr.AVRTimer(cpu, config);
const uart = new avr.AVRUSART(cpu, avr.usart0Config, HZ);
new avr.AVRADC(cpu, avr.adcConfig);
new avr.AVREEPROM(cpu, new avr.EEPROMMemoryBackend(1024));
new avr.AVRWatchdog(cpu, avr.watchdogConfig, new avr.AVRClock(cpu, HZ));
for (let pad = 0; pad < PADS; pad++) port.setPin(2 + pad, true);
// avr8js 0.21.1 drops a waiting pin-change interrupt when the mask is written without bit 2: it
// takes the mask for PCICR. On the chip the mask only chooses the pins that raise the flag.
cpu.writeHooks[PCMSK2] = (value) => {
  cpu.data[PCMSK2] = value;
  return true;
};
// It sets the timer's flags that are written, where the chip clears them.
cpu.writeHooks[TIFR1] = (value) => {
  cpu.data[TIFR1] &= ~value;
  return true;
};
// Its receiver holds one byte; the chip's holds two and one that is coming in.
const fifo = [];
let overruns = 0;
cpu.readHooks[UDR0] = () => {
  const byte = fifo.shift() ?? 0;
  if (!fifo.length) cpu.data[UCSR0A] &= ~RXC;
  return byte;
};
function arrive(byte) {
  if (fifo.length < 3) fifo.push(byte);
  else overruns++;
  cpu.data[UCSR0A] |= RXC;
}

let lineFree = 0;
function say(...frames) {
  for (const byte of frames.flat()) {
    lineFree = Math.max(lineFree, cpu.cycles) + BYTE;
    cpu.addClockEvent(() => arrive(byte), lineFree - cpu.cycles);
  }
}

const came = { ident: null, stats: [], hits: [] };
let gathered = [];
uart.onByteTransmit = (byte) => {
  if (byte) {
    gathered.push(byte);
    return;
  }
  const body = unframed(gathered);
  gathered = [];
  if (body === null) return;
  if (body[0] === IDENT) came.ident = { session: body.readUInt32LE(21), state: body[40] };
  if (body[0] === STAT) came.stats.push({ longest_loop_us: body.readUInt16LE(25) });
  if (body[0] === HIT && body.readUInt16LE(1) === came.hits.length % 65536) {
    came.hits.push({ pad: body[3], t: body.readUInt32LE(5) });
  }
};

function runUntil(cycle) {
  while (cpu.cycles < cycle) {
    avr.avrInstruction(cpu);
    cpu.tick();
  }
}
const run = (cycles) => runUntil(cpu.cycles + cycles);

// ---- row 1

function greet() {
  for (let tries = 0; tries < 60; tries++) {
    run(100 * MS);
    if (came.ident?.session === SESSION && came.ident.state === 1) return;
    say([0], frame(HELLO, 1, ...u32(SESSION)));
  }
  throw new Error("the simulated board never armed");
}

function setPads() {
  for (let pad = 0; pad < PADS; pad++) {
    for (const [field, value] of [[KIND, PLAIN_SWITCH], [HOLD_MS, 5], [QUIET_MS, 1]]) {
      say(frame(CFG, pad, field, ...u16(value)));
      run(5 * MS);
    }
  }
  run(100 * MS);
}

greet();
setPads();
const statsBefore = came.stats.length + 1; // the one of the start says how long the start took
const touched = [];
let at = cpu.cycles;
for (let n = 0; n < TOUCHES; n++) {
  const pad = n % PADS;
  at += Math.round((3 + 2 * chance()) * MS);
  runUntil(at - MS);
  const here = at;
  cpu.addClockEvent(() => port.setPin(2 + pad, false), here - cpu.cycles);
  cpu.addClockEvent(() => port.setPin(2 + pad, true), here - cpu.cycles + 2 * MS);
  touched.push({ pad, cycle: here });
  say(frame(ACK, ...u16(came.hits.length)));
  if (chance() < 0.5) say(frame(PING, ...u16(Math.floor(chance() * 65536))));
}
for (let n = 0; n < 4; n++) {
  run(100 * MS);
  say(frame(ACK, ...u16(came.hits.length)));
}

// The lateness is told against the least of all: ticks count from the firmware's start.
const whole = came.hits.length === TOUCHES && came.hits.every((hit, n) => hit.pad === touched[n].pad);
const late = came.hits.map((hit, n) => (hit.t - touched[n].cycle / 8 + 2 * WRAP) % WRAP);
const least = Math.min(...late);
const us = late.map((ticks) => (ticks - least) / 2);
const mean = us.reduce((sum, one) => sum + one, 0) / us.length;
console.log(JSON.stringify({
  touches: TOUCHES,
  hits: came.hits.length,
  in_order: whole,
  spread_us: Number(Math.max(...us).toFixed(3)),
  sd_us: Number(Math.sqrt(us.reduce((sum, one) => sum + (one - mean) ** 2, 0) / us.length).toFixed(3)),
  longest_loop_us: Math.max(...came.stats.slice(statsBefore).map((stat) => stat.longest_loop_us)),
  bytes_lost: overruns,
  seconds_simulated: Number((cpu.cycles / HZ).toFixed(1)),
}));
