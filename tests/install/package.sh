#!/usr/bin/env bash
# Installs, starts, upgrades and purges the Debian package in a temporary copy of this machine's file system (an overlay in its own
# mount namespace). Reports that it skips the test if overlays cannot be mounted.
# Usage: tests/install/package.sh      (requires the output of the target debian-packages in build/native/packages)
# The last line of the output is: N passed, M failed.
# shellcheck disable=SC2317 # functions that `check` calls
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

packages=$PWD/build/native/packages
passed=0
failed=0

# check WHAT COMMAND...
check() {
  local what=$1
  shift
  if "$@" >/tmp/package-step 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'not ok: %s (%s)\n' "$what" "$*"
    tail -n 20 /tmp/package-step
  fi
}

answers() { [[ $(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$1/$2") == "$3" ]]; }
page_has() { curl -s "http://127.0.0.1:8080/$1" | grep -q "$2"; }

eventually() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    "$@" && return
    sleep 0.1
  done
  return 1
}

# start UNIT: runs the command of a unit like systemd does, with its credential and its state directory.
declare -A started
start() {
  local unit=/lib/systemd/system/$1.service command words
  command=$(sed -n 's/^ExecStart=//p' "$unit")
  mkdir -p /run/credentials "/var/lib/$(sed -n 's/^StateDirectory=//p' "$unit")"
  (umask 077 && cp /etc/tonearm/admin-token /run/credentials/admin-token)
  command=${command//%d//run/credentials}
  command=${command//%S//var/lib}
  read -ra words <<<"$command"
  "${words[@]}" >"/tmp/package-$1" 2>&1 &
  started[$1]=$!
}

stop() {
  kill -TERM "${started[$1]}"
  wait "${started[$1]}"
}

admin() { tonearm-admin --server http://127.0.0.1:8082 --token-file /run/credentials/admin-token "$@"; }

# The steps of the test, inside the copy.
steps() {
  ip link set lo up 2>/dev/null
  check 'it installs' dpkg --install "$packages"/tonearm_1.0.0_*.deb
  check 'the token is made, readable only by root' test "$(stat -c %a%u /etc/tonearm/admin-token)" = 6000
  check 'there is a manual page' test -s /usr/share/man/man1/tonearm-server.1.gz
  check 'there is a manual page of the command line' test -s /usr/share/man/man1/tonearm.1.gz
  check 'the command line starts' tonearm --version
  check 'bash completes the command line' bash -c 'source /usr/share/bash-completion/completions/tonearm'
  check 'bash completes the server' bash -c 'source /usr/share/bash-completion/completions/tonearm-server'
  if command -v systemd-analyze >/dev/null; then
    check 'the units are valid' systemd-analyze verify --man=no /lib/systemd/system/tonearm-{server,web}.service
  fi

  start tonearm-server
  check 'the server starts without a catalog' eventually answers 8081 healthz 200
  check 'it reports that it is not ready' answers 8081 readyz 503
  start tonearm-web
  check 'the site starts' eventually answers 8080 healthz 200
  mkdir -p /usr/share/tonearm/demo
  check 'a catalog is built' tonearm-catalog build --input tests/cases/catalog.jsonl --output /usr/share/tonearm/demo/catalog.sqlite
  check 'the catalog is activated' eventually answers 8081 readyz 200
  check 'the site is ready' eventually answers 8080 readyz 200
  check 'its first page runs the built script' page_has '' 'src="/assets/'
  check 'the script is there' answers 8080 "$(curl -s http://127.0.0.1:8080/ | grep -o 'assets/[^"]*\.js' | head -n 1)" 200
  if compgen -G '/usr/share/tonearm/site/assets/fingerprint-*.wasm' >/dev/null; then
    check 'the notices of its libraries are there' answers 8080 assets/notices.txt 200
    check 'the package names these libraries' test "$(grep -c '^- \(Chromaprint\|KissFFT\|Mediabunny\)' /usr/share/doc/tonearm/copyright)" = 3
  fi
  check 'a track has a page' page_has tracks/os-101 og:title
  check 'an account is made' admin account create --plan free
  account=$(admin account list | grep -o 'acc_[a-z2-7]*' | head -n 1)
  check 'the site stops' stop tonearm-web
  check 'the server stops' stop tonearm-server

  printf '# mine\n' >>/etc/tonearm/server.toml
  token=$(cat /etc/tonearm/admin-token)
  check 'the package upgrades' dpkg --install --force-confold "$packages"/tonearm_1.0.1_*.deb
  check 'the settings are kept' grep -q '^# mine' /etc/tonearm/server.toml
  check 'the token is kept' test "$(cat /etc/tonearm/admin-token)" = "$token"
  start tonearm-server
  check 'the server starts again' eventually answers 8081 readyz 200
  check 'the account is there' admin account show "$account"
  check 'the server stops again' stop tonearm-server

  check 'the package is removed' dpkg --remove tonearm
  check 'the program is gone' test ! -e /usr/bin/tonearm-server
  check 'the settings are kept until a purge' test -e /etc/tonearm/server.toml
  dpkg --purge tonearm >/tmp/package-purge 2>&1
  check 'a purge removes settings and token' test ! -e /etc/tonearm
  check 'a purge reports that it keeps the state' grep -q '/var/lib/tonearm still contains accounts' /tmp/package-purge
  check 'the state is there' test -s /var/lib/tonearm/state.sqlite
  printf '%d passed, %d failed\n' "$passed" "$failed"
  exit $((failed > 0))
}

# Mounts an overlay of the whole file system.
within_copy() {
  local copy=$1
  mount -t tmpfs tmpfs "$copy" && mkdir "$copy"/{upper,work,all} &&
    mount -t overlay overlay -o "lowerdir=/,upperdir=$copy/upper,workdir=$copy/work" "$copy/all" &&
    mount -t proc proc "$copy/all/proc" && mount --rbind /dev "$copy/all/dev" &&
    mount -t tmpfs tmpfs "$copy/all/run" && mount -t tmpfs tmpfs "$copy/all/tmp" &&
    mkdir -p "$copy/all$PWD" && mount --bind "$PWD" "$copy/all$PWD" # last: the checkout may be below /tmp
}

case ${1:-} in
  --steps) steps ;;
  --copy)
    within_copy "$2" || exit 77
    exec chroot "$2/all" "$PWD/tests/install/package.sh" --steps
    ;;
esac

if ! compgen -G "$packages/tonearm_1.0.0_*.deb" >/dev/null; then
  printf 'no package in %s\n0 passed, 1 failed\n' "$packages"
  exit 1
fi
if ! unshare --mount --net --pid --fork true; then
  printf 'package: skipped: namespaces are not available\n'
  exit 0
fi
cpack --config build/native/CPackConfig.cmake -B "$packages" -D CPACK_PACKAGE_VERSION=1.0.1 >/dev/null || exit 1
copy=$(mktemp -d)
unshare --mount --net --pid --fork --kill-child "$PWD/tests/install/package.sh" --copy "$copy"
status=$?
rmdir "$copy"
if ((status == 77)); then
  printf 'package: skipped: overlays cannot be mounted\n'
  exit 0
fi
exit "$status"
