import { MASK } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { curlText } from './curl-text'

it('quotes all that a shell would read, with masked headers as variables', () => {
  const text = curlText({
    method: 'POST',
    url: "https://app.example/it's?a=$HOME&b=`id`",
    request_headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'authorization', value: MASK },
    ],
    request_body: { text: `{"a":"it's $(id) \\n"}`, bytes: 1, is_cut: false },
  } as never)
  expect(text.split(' \\\n')).toEqual([
    `curl --globoff --include --request POST 'https://app.example/it'\\''s?a=$HOME&b=\`id\`'`,
    `  --header 'content-type: application/json'`,
    '  --header "authorization: $AUTHORIZATION"',
    `  --data-raw '{"a":"it'\\''s $(id) \\n"}'`,
  ])
})
