#!/bin/sh
# Starts Homeledger with the Node at hand. Where that Node cannot even start, this says what the machine lacks:
# no program of ours could.
here=$(dirname "$0")

# A build proves that Node has started here before: asking it again takes 6 ms of each start.
if { [ ! -e "$here/../dist/server.json" ] || ! command -v node >/dev/null; } &&
  ! problem=$(node --version 2>&1 >/dev/null); then
  case $problem in
    *libatomic*)
      echo 'error: Node needs the library libatomic, which this machine lacks. Install it and start again:' >&2
      echo '  apt-get install libatomic1    (Debian, Ubuntu)' >&2
      echo '  dnf install libatomic         (Fedora)' >&2
      echo '  zypper install libatomic1     (openSUSE)' >&2
      ;;
    *'not found'*)
      echo 'error: Found no Node that runs on this machine. Install Node 24 or newer, then run npm ci.' >&2
      echo "  $problem" >&2
      ;;
    *)
      echo 'error: Node cannot start on this machine. Install what it asks for, or Node 24 or newer:' >&2
      echo "  $problem" >&2
      ;;
  esac
  exit 1
fi
# Less memory for a household: docs/decisions/0028-little-memory.md.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-262144}"
exec node --min-semi-space-size=2 --max-semi-space-size=2 \
  --max-old-space-size=1024 --v8-pool-size=2 "$here/start.js" "$@"
