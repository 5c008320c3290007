#!/usr/bin/env bash
# Makes sure that there is a Chromium for the page tests.
set -euo pipefail

found() {
  local name
  [ -n "${DIALWRIGHT_CHROMIUM:-}" ] && [ -x "$DIALWRIGHT_CHROMIUM" ] && return 0
  for name in chromium-headless-shell chrome-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && return 0
  done
  [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] || [ -x /Applications/Chromium.app/Contents/MacOS/Chromium ]
}

found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Chromium is not on this machine: installing it"
  apt-get update -qq
  # The shell without windows shows the same pages for two thirds of the work.
  package=chromium
  apt-cache show chromium-headless-shell >/dev/null 2>&1 && package=chromium-headless-shell
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" fonts-dejavu-core >/dev/null
fi
found || {
  echo "the page tests need Chromium: install it (Debian, as root: apt-get install chromium), or set DIALWRIGHT_CHROMIUM" >&2
  exit 1
}
