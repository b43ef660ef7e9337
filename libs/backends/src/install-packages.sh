#!/bin/sh
# Installs Debian packages without starting their services.
# A service on its default port would run beside the private servers, and no run would stop it.
set -u
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod +x "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
get() { apt-get -qq -o DPkg::Lock::Timeout=300 "$@"; }
get install -y --no-install-recommends "$@" && exit
# The package lists may be missing or too old.
get update && get install -y --no-install-recommends "$@"
