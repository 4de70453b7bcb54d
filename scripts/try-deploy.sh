#!/usr/bin/env bash
# Builds the container file and runs the image as an orchestrator would: with a read-only root, without root, on a
# volume. Then checks the systemd unit. Needs root, debootstrap, buildah and curl. No registry is used: the base is a
# bare Debian 12 with this repository's Node and this machine's npm, npm configuration and certificates. MIRROR sets
# another Debian mirror. Takes minutes. Prints a line per check and the totals.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/try-deploy.XXXXXX")
base=$work/base
port=${HTTP_PORT:-3901}
passed=0 failed=0
server=
store="--storage-driver vfs --root $work/images --runroot $work/run"

cleanup() {
  [ -n "$server" ] && kill -9 "$server" 2>/dev/null
  buildah $store umount --all >/dev/null 2>&1
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
stop_now() { # what cannot go on
  echo "$1" >&2
  tail -20 "$work/log" >&2
  exit 1
}

for tool in debootstrap buildah curl systemd-analyze; do
  command -v $tool >/dev/null || { echo "$tool is not installed." >&2 && exit 2; }
done
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | head -n 1)}
[ -n "$mirror" ] || { echo "apt has no Debian 12 mirror here. Set MIRROR." >&2 && exit 2; }

echo "Making the base; this takes a minute…"
debootstrap --variant=minbase --include=ca-certificates bookworm "$base" "$mirror" >"$work/log" 2>&1 ||
  stop_now "debootstrap failed"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
cp -L node_modules/node/bin/node "$base/usr/local/bin/"
mkdir -p "$base/usr/local/lib/node_modules" "$base/usr/local/etc"
cp -r "$npm" "$base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
for file in "$HOME/.npmrc" /etc/npmrc; do [ -r "$file" ] && cat "$file"; done >"$base/usr/local/etc/npmrc"
cp /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/"
chroot "$base" useradd --uid 1000 --create-home node
{
  from=$(buildah $store from scratch) && buildah $store add "$from" "$base" / && buildah $store commit --rm "$from" base
} >"$work/log" 2>&1 || stop_now "the base image could not be made"
rm -rf --one-file-system "$base"

echo "Building the image; this takes minutes…"
buildah $store build --isolation chroot --format docker --build-arg BASE=localhost/base -t switchroom . \
  >"$work/log" 2>&1
check "the container file builds" test $? -eq 0
[ $failed -eq 0 ] || stop_now "the image could not be built"

container=$(buildah $store from switchroom)
root=$(buildah $store mount "$container")
of() { buildah $store inspect --format "$1" "$container"; }
user=$(of '{{.OCIv1.Config.User}}')
mapfile -t env < <(of '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' | grep .)
mapfile -t command < <(of '{{range .OCIv1.Config.Cmd}}{{println .}}{{end}}' | grep .)
mapfile -t health < <(of '{{range .Docker.Config.Healthcheck.Test}}{{println .}}{{end}}' | grep . | tail -n +2)
workdir=$(of '{{.OCIv1.Config.WorkingDir}}')
check "it does not run as root" test "${user%%:*}" -gt 0

# the root read-only, /data a volume, /tmp in memory, no capabilities
mkdir "$work/data" && chown "$user" "$work/data"
# an array rather than a function, so that $! is the server's pid
in_image=(unshare --mount sh -c '
  root=$1 data=$2 user=$3 workdir=$4; shift 4
  mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" || exit 125
  mount --bind "$data" "$root/data" && mount -t tmpfs tmpfs "$root/tmp" && chmod 1777 "$root/tmp" || exit 125
  mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" || exit 125
  exec chroot "$root" setpriv --reuid="${user%:*}" --regid="${user#*:}" --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all sh -c "cd \"\$0\" && exec \"\$@\"" "$workdir" "$@"
' sh "$root" "$work/data" "$user" "$workdir" env -i "${env[@]}" HTTP_PORT="$port")
url=http://127.0.0.1:$port
start() {
  "${in_image[@]}" "${command[@]}" >"$work/start" 2>&1 &
  server=$!
  for _ in $(seq 120); do
    curl -sf -m 2 "$url/ready" >/dev/null && return 0
    kill -0 $server 2>/dev/null || break
    sleep 0.5
  done
  cat "$work/start"
  return 1
}
log_in() {
  curl -sf -m 10 -H 'content-type: application/json' -d "{\"username\":\"admin\",\"password\":\"$1\"}" "$url/api/v1/login" |
    grep -q '"token"'
}
stop() { # exits with 0 within 10 seconds
  local began=$SECONDS
  kill -TERM $server
  wait $server
  local code=$?
  server=
  [ $code -eq 0 ] && [ $((SECONDS - began)) -le 10 ] || { echo "exit code $code after $((SECONDS - began)) s" && return 1; }
}
check "it starts with a read-only root" start
check "it builds nothing at start" sh -c "! grep -q Building '$work/start'"
password=$(sed -n 's/.*one-time password //p' "$work/start")
check "it prints a one-time password, which logs in" log_in "$password"
check "the console is served" sh -c "curl -sf -m 10 $url/ | grep -q '<script'"
check "the health check passes" "${in_image[@]}" "${health[@]}"
new=$("${in_image[@]}" npm run -s reset-password -- admin 2>&1 | sed -n 's/.*one-time password //p')
check "npm run reset-password works in it" log_in "$new"
check "the data is the user's alone" test "$(stat -c '%u %a' "$work/data/switchroom.db")" = "${user%%:*} 600"
check "SIGTERM ends it with 0 within 10 seconds" stop
check "it starts again with its data" start
check "and prints no password" sh -c "! grep -q 'one-time password' '$work/start'"
check "SIGTERM ends it again" stop

# systemd, in a tree where everything that the unit names exists
tree=$work/tree
mkdir -p "$tree/opt/switchroom/node_modules/.bin" "$tree/etc/systemd/system" "$tree/etc/switchroom" "$tree/usr/lib"
cp -L node_modules/node/bin/node "$tree/opt/switchroom/node_modules/.bin/"
cp deploy/systemd/switchroom.service "$tree/etc/systemd/system/"
cp deploy/systemd/environment "$tree/etc/switchroom/"
cp -r /usr/lib/systemd "$tree/usr/lib/"
echo 'switchroom:x:999:999::/var/lib/switchroom:/usr/sbin/nologin' >"$tree/etc/passwd"
verify() {
  systemd-analyze verify --root="$tree" --man=no switchroom.service 2>&1 | grep switchroom.service && return 1
  return 0
}
check "systemd-analyze verify finds nothing" verify
check "systemd-analyze security: exposure at most 2.0" \
  systemd-analyze security --offline=yes --threshold=20 deploy/systemd/switchroom.service

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
