#!/bin/sh
# contains.sh TEXT PATH...: the fact (a boolean) is whether a text occurs, as it is written and on one line, in one of the files, or in a
# file below one of the folders.
#
#   providers:
#     - {id: ci.deprecated, revision: 1, command: [scripts/providers/contains.sh, "Deprecated:", docs], time-limit: 10}
#
# Where none of the paths is among the inputs it observes nothing.
cat >/dev/null # the request is not needed
if [ $# -lt 2 ] || [ -z "$1" ]; then
	echo '{"result": "unavailable", "reason": "a text and a path are needed"}'
	exit
fi
text=$1
shift
found=no
for path; do
	if [ -e "$path" ]; then
		found=yes
	fi
done
if [ "$found" = no ]; then
	echo '{"result": "no-observation", "reason": "none of the files is there"}'
	exit
fi
# find and grep -F -e take any text and any name; a path that is not there is passed over.
if find "$@" -type f -exec grep -qF -e "$text" {} \; -print 2>/dev/null | grep -q .; then
	echo '{"result": "claim", "value": true}'
else
	echo '{"result": "claim", "value": false}'
fi
