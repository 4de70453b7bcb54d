#!/usr/bin/env bash
# Installs and runs Switchroom as a new user would: a clean Debian 12 with Debian's own Node and npm, the tracked
# files, npm ci, npm start. Needs root, debootstrap and curl. Uses this machine's apt mirror, npm configuration and
# certificates; MIRROR sets another Debian mirror. Prints a line per check and the totals.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/fresh-machine.XXXXXX")
os=$work/debian
port=${HTTP_PORT:-3900}
passed=0 failed=0
npm_pid=

cleanup() {
  [ -n "$npm_pid" ] && kill -9 "$npm_pid" 2>/dev/null
  sleep 1
  mountpoint -q "$os/proc" && umount "$os/proc"
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

check() { # check <what> <command…>
  local what=$1
  shift
  if "$@" >"$work/check" 2>&1; then
    passed=$((passed + 1)) && echo "ok    $what"
  else
    failed=$((failed + 1)) && echo "FAIL  $what" && sed 's/^/      /' "$work/check" | tail -20
  fi
}
inside() { # without this environment, except for the certificates
  env -i HOME=/srv PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HTTP_PORT="$port" \
    npm_config_userconfig=/etc/npmrc.user \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt chroot "$os" "$@"
}

mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | head -n 1)}
[ -n "$mirror" ] || { echo "apt has no Debian 12 mirror here. Set MIRROR." >&2 && exit 2; }
for tool in debootstrap curl; do
  command -v $tool >/dev/null || { echo "$tool is not installed. Run: apt-get install $tool" >&2 && exit 2; }
done
echo "Building a clean Debian 12; this takes a few minutes…"
debootstrap --variant=minbase bookworm "$os" "$mirror" >"$work/log" 2>&1 || {
  tail -20 "$work/log"
  exit 1
}
cp /etc/resolv.conf "$os/etc/"
cp /etc/apt/apt.conf.d/99* "$os/etc/apt/apt.conf.d/" 2>/dev/null
echo force-unsafe-io >"$os/etc/dpkg/dpkg.cfg.d/unsafe-io"
mount -t proc proc "$os/proc"
{
  inside apt-get -qq update
  inside env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends nodejs npm ca-certificates
} >"$work/log" 2>&1 || {
  tail -20 "$work/log"
  exit 1
}
cp /etc/ssl/certs/ca-certificates.crt "$os/etc/ssl/certs/"
for file in "$HOME/.npmrc" /etc/npmrc; do [ -r "$file" ] && cat "$file"; done >"$os/etc/npmrc.user"
mkdir -p "$os/srv/switchroom"
git archive HEAD | tar x -C "$os/srv/switchroom"
echo "Node $(inside node -v), npm $(inside npm -v)"

inside sh -c 'cd /srv/switchroom && npm ci' >"$work/ci" 2>&1
check "npm ci succeeds" test $? -eq 0
cat "$work/ci"
check "npm ci is quiet: at most 5 lines" test "$(wc -l <"$work/ci")" -le 5

url=http://127.0.0.1:$port
start() {
  # npm's own pid; $! would be that of a shell in between
  inside sh -c 'echo $$ >/tmp/npm.pid; cd /srv/switchroom && exec npm start' >"$work/start" 2>&1 &
  sleep 1
  npm_pid=$(cat "$os/tmp/npm.pid")
  for _ in $(seq 300); do
    curl -sf -m 2 "$url/ready" >/dev/null && return 0
    kill -0 $npm_pid 2>/dev/null || break
    sleep 1
  done
  cat "$work/start"
  return 1
}
is_free() { ! curl -s -m 2 "$url/health"; }
check "port $port is free" is_free
log_in() {
  curl -sf -m 10 -H 'content-type: application/json' -d "{\"username\":\"admin\",\"password\":\"$1\"}" "$url/api/v1/login" |
    grep -q '"token"'
}
stop() { # stop <signal>: sent to npm only
  kill -"$1" $npm_pid
  for _ in $(seq 100); do kill -0 $npm_pid 2>/dev/null && sleep 0.1 || break; done
  ! kill -0 $npm_pid 2>/dev/null && sleep 1 && is_free
}

check "npm start serves" start
first=$(sed -n 's/.*one-time password //p' "$work/start")
check "npm start prints a one-time password" test -n "$first"
check "the one-time password logs in" log_in "$first"
check "the console is served" sh -c "curl -sf -m 10 $url/ | grep -q '<script'"
new=$(inside sh -c 'cd /srv/switchroom && npm run -s reset-password -- admin' 2>&1 | sed -n 's/.*one-time password //p')
check "a reset password logs in while the server runs" log_in "$new"
check "the old password does not" sh -c "! curl -sf -m 10 -H 'content-type: application/json' -d '{\"username\":\"admin\",\"password\":\"$first\"}' $url/api/v1/login"
check "SIGTERM to npm stops the server and frees the port" stop TERM
check "npm start serves again" start
check "the second start prints no password" sh -c "! grep -q 'one-time password' '$work/start'"
check "SIGHUP to npm stops the server and frees the port" stop HUP

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
