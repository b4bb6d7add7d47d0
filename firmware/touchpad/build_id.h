// Made by the Makefile: the start of the SHA-256 of the other files of this sketch.
#pragma once
static const uint32_t BUILD_ID = 0x8ce83b1b;
