/**
 * A script for a POSIX shell that runs all test cases of an application, waits for them, lists them, and fails unless
 * all have passed.
 */
export const scriptOf = (base: string, application_sid: string) =>
  `set -e
cases='${base}/Applications/${application_sid}/TestCases'
api() {
  curl --fail-with-body --silent --show-error --header "Authorization: Bearer $SWITCHROOM_API_KEY" "$@"
}

api --request POST "$cases/Runs" > /dev/null
running=true
while [ "$running" = true ]; do
  sleep 1
  list=$(api "$cases")
  running=$(printf '%s' "$list" | jq 'any(.[]; .latest_run.state == "running")')
done
printf '%s' "$list" | jq --raw-output '.[] | "\\(if .latest_run.is_passed then "passed" else "FAILED" end)  \\(.name)"'
printf '%s' "$list" | jq --exit-status 'all(.[]; .latest_run.is_passed)' > /dev/null`
