#!/usr/bin/env bash
# Speaks the words of the calls anew: `bash make.sh` (Debian: flite, ffmpeg).
set -euo pipefail
cd "$(dirname "$0")"
speak() { # name, text
    flite -voice slt -t "$2" -o "/tmp/$1.wav"
    # Silence cut off, the loudness of all words alike.
    ffmpeg -hide_banner -loglevel error -y -i "/tmp/$1.wav" -ac 1 -ar 22050 -b:a 40k -map_metadata -1 \
        -af "silenceremove=start_periods=1:start_threshold=-45dB,areverse,silenceremove=start_periods=1:start_threshold=-45dB,areverse,apad=pad_dur=0.08,loudnorm=I=-16:TP=-2" \
        "$1.mp3"
    rm "/tmp/$1.wav"
}
for letter in a b c d e f g h i j k l; do speak "player-$letter" "player ${letter^^}."; done
speak fault "Fault!"
speak was-first "was first."
speak dead-heat "Dead heat."
speak too-close "Too close to call."
speak wins "wins!"
speak a-draw "A draw."
speak the-hand-is-over "The hand is over."
speak score "Score."
speak the-referee-asks "The referee asks."
