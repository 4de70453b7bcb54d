import { expect, it } from 'vitest'
import { spokenText } from './spoken-text'

it.each([
  ['<speak>Hello <emphasis level="strong">you</emphasis></speak>', 'Hello you'],
  ['<speak>One<break time="1s"/>two</speak>', 'One … two'],
  ['<speak><p>First.</p><p>Second &amp; third &#x41;&#66;</p></speak>', 'First. Second & third AB'],
  ['<speak><sub alias="World Wide Web">WWW</sub><!-- no --></speak>', 'World Wide Web'],
  ['<speak>&bogus; &#99999999;</speak>', '&bogus; &#99999999;'],
  ['a < b and <b>c</b>', 'a < b and <b>c</b>'],
])('reads %s', (text, spoken) => {
  expect(spokenText(text)).toBe(spoken)
})
