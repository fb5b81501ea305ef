#!/bin/sh
# exits.sh COMMAND [ARG]...: the fact (a boolean) is whether the command ends with status 0 over the inputs.
#
#   providers:
#     - {id: ci.lint, revision: 1, command: [scripts/providers/exits.sh, shellcheck, src/run.sh], time-limit: 60}
#
# A status from 1 to 125 says no. From 126 on the command was not found, not executable or ended by a signal: then it said nothing, and
# neither does this. What the command prints goes to standard error.
cat >/dev/null # the request is not needed
if [ $# -eq 0 ]; then
	echo '{"result": "unavailable", "reason": "no command was given"}'
	exit
fi
"$@" >&2 </dev/null
status=$?
if [ "$status" -eq 0 ]; then
	echo '{"result": "claim", "value": true}'
elif [ "$status" -lt 126 ]; then
	echo '{"result": "claim", "value": false}'
else
	echo "{\"result\": \"unavailable\", \"reason\": \"the command ended with status $status\"}"
fi
