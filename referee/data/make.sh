#!/bin/sh
# Renders the sample matches of `referee demo GAME` anew, each with its ground truth.
# The seeds were chosen by eye: five different rooms, tables and decks.
set -e
cd "$(dirname "$0")"
for sample in nerves:24 xix:21 spy:23 nerds:25 nertz:24; do
    game=${sample%:*}
    referee judge "$game.match" --check > /dev/null
    referee simulate "$game.match" -o "$game.mp4" --truth "$game.json" \
        --size 1080p --seed "${sample#*:}" --strength 0.4 --crf "${1:-26}"
done
