import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pngProblem } from './png.ts'
import { svgProblem } from './svg.ts'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
const svg = (content: string, attributes = '') =>
  `<svg ${XMLNS} viewBox="0 0 24 24" ${attributes}>${content}</svg>`

describe('an SVG logo', () => {
  it.each([
    svg('<path d="M0 0h9v9z" fill="#1a4fd6"/>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg('<g><circle r="3"/></g>')}\n`,
    svg(
      '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><path fill="url(#a)" style="mask: url(\'#a\')" d="M0 0"/>',
    ),
    svg('<style>.a{fill:url(#b);stroke:#fff}</style><path class="a" d="M0 0"/>'),
    svg(
      '<linearGradient id="a"/><linearGradient id="b" xlink:href="#a"/>',
      'xmlns:xlink="http://www.w3.org/1999/xlink" xml:space="preserve"',
    ),
    svg('<title>Tom &amp; Jerry &#169;</title><text x="1">A &lt; B</text>'),
  ])('may be %s', (text) => expect(svgProblem(text)).toBeUndefined())

  it.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['a script in other case', svg('<SCRIPT>alert(1)</SCRIPT>')],
    [
      'a script with a prefix',
      svg('<s:script>alert(1)</s:script>', `xmlns:s="http://www.w3.org/2000/svg"`),
    ],
    ['HTML', svg('<foreignObject><body/></foreignObject>')],
    ['a handler', svg('<path d="M0 0" onload="alert(1)"/>')],
    ['a handler in other case', svg('<path d="M0 0" OnClick="alert(1)"/>')],
    ['a handler on its root', svg('', 'onload="alert(1)"')],
    ['a link', svg('<a href="https://evil.example"><path d="M0 0"/></a>')],
    ['a picture', svg('<image href="https://evil.example/x.png"/>')],
    ['a picture within it', svg('<image href="data:image/png;base64,AAAA"/>')],
    ['a multiplied part', svg('<g id="a"/><use href="#a"/>')],
    ['another file’s part', svg('<linearGradient href="https://evil.example/x.svg#a"/>')],
    ['an animation', svg('<animate attributeName="href" to="javascript:alert(1)"/>')],
    ['a set', svg('<set attributeName="onclick" to="alert(1)"/>')],
    ['a filter', svg('<filter><feImage href="https://evil.example"/></filter>')],
    ['a fill from elsewhere', svg('<path fill="url(https://evil.example/#a)" d="M0 0"/>')],
    ['a fill from elsewhere in quotes', svg(`<path fill='url("//evil.example/#a")' d="M0 0"/>`)],
    ['a fill after one of its own', svg('<path fill="url(#a) url(//evil.example)" d="M0 0"/>')],
    ['a fill written in entities', svg('<path fill="&#117;rl(//evil.example)" d="M0 0"/>')],
    ['a fill written in escapes', svg('<path style="fill:\\75rl(//evil.example)" d="M0 0"/>')],
    ['an import', svg('<style>@import "https://evil.example/x.css";</style>')],
    ['an import in entities', svg('<style>&#64;import "//evil.example/x.css";</style>')],
    ['a style from elsewhere', svg('<style>.a{fill:url(//evil.example)}</style>')],
    ['a picture set', svg('<style>.a{background:image-set("//evil.example")}</style>')],
    ['a script address', svg('<path d="M0 0" fill="javascript:alert(1)"/>')],
    ['a style sheet', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`],
    ['a document type', `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x">${svg('')}`],
    ['an unknown entity', svg('<title>&nbsp;</title>')],
    ['CDATA', svg('<style><![CDATA[.a{fill:red}]]></style>')],
    ['an instruction inside', svg('<?php echo 1 ?>')],
    ['another encoding', `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`],
    ['another namespace', svg('').replace('2000/svg', '1999/xhtml')],
    ['none', svg('').replace(XMLNS, '')],
    ['no viewBox', `<svg ${XMLNS}/>`],
    ['a base', svg('', 'xml:base="https://evil.example"')],
    ['two roots', svg('') + svg('')],
    ['text around it', `hello ${svg('')}`],
    ['an end that is missing', svg('').replace('</svg>', '')],
    ['ends that cross', svg('<g><defs></g></defs>')],
    ['an attribute twice', svg('<g id="a" id="b"/>')],
    ['an attribute without quotes', svg('<g id=a/>')],
    ['a broken comment', svg('<!-- a -- b -->')],
    ['a comment without end', `${svg('')}<!-- a`],
    ['too many elements', svg('<g/>'.repeat(2_001))],
    ['too many levels', svg(`${'<g>'.repeat(40)}${'</g>'.repeat(40)}`)],
    ['HTML instead', '<!doctype html><html><script>alert(1)</script></html>'],
    ['nothing', ''],
  ])('is refused with %s', (_, text) => expect(svgProblem(text)).toEqual(expect.any(String)))

  // in time that grows with the square of its length this would take minutes
  it('is read in time that grows with its length', () => {
    for (const text of [
      svg(`<path d="${' '.repeat(600_000)}"`),
      `${svg('')}${' '.repeat(600_000)}<`,
      svg(`<g ${'a '.repeat(300_000)}`),
      svg(`<g${' a="b"'.repeat(80_000)}`),
      svg(`<!--${'-'.repeat(600_000)}`),
      svg(`<path fill="url(${'url('.repeat(150_000)}"/>`),
      svg('&'.repeat(600_000)),
    ])
      expect(svgProblem(text)).toEqual(expect.any(String))
  })
})

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
function png(width: number, height: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const rows = deflateSync(Buffer.alloc((width * 4 + 1) * height))
  const chunks = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...chunks])
}

describe('a PNG logo', () => {
  it('may have sides of 16 to 2,048 pixels', () => {
    expect(pngProblem(png(16, 16))).toBeUndefined()
    expect(pngProblem(png(2_048, 32))).toBeUndefined()
    expect(pngProblem(png(15, 100))).toContain('15 × 100')
    expect(pngProblem(png(100, 2_049))).toContain('100 × 2049')
  })

  it('is whole, and nothing else', () => {
    const whole = png(16, 16)
    const changed = Buffer.from(whole)
    changed[20]! ^= 1
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      whole.subarray(0, -1),
      whole.subarray(0, 20),
      Buffer.concat([whole, Buffer.from('<script>')]),
      Buffer.concat([SIGNATURE, chunk('IEND', Buffer.alloc(0))]),
      changed,
    ])
      expect(pngProblem(bytes)).toEqual(expect.any(String))
  })
})
