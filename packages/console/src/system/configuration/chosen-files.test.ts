import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { MAX_BYTES, ofFolder, textsOf, Unreadable } from './chosen-files'

const zipped = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
const zip = (files: Record<string, string>) => new File([zipped(files)], 'all.zip')
const refusal = (files: File[]) =>
  textsOf(files).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Unreadable) return error.message
      throw error
    },
  )

describe('chosen files', () => {
  it('are texts by their names, those of archives too', async () => {
    const archive = zip({
      'office/clients.yaml': '[]',
      'office/.schema/clients.json': '{}',
      'office/._clients.yaml': 'x',
      'office/deep/lcrs.yaml': 'x',
      'README.md': 'x',
      'live.vars.yml': 'a: 1',
    })
    expect(await textsOf([new File(['- x'], 'lcrs.yaml'), archive])).toEqual([
      { name: 'lcrs.yaml', text: '- x' },
      { name: 'clients.yaml', text: '[]' },
      { name: 'live.vars.yml', text: 'a: 1' },
    ])
  })

  it('of a folder are its own', () => {
    const of = (path: string) =>
      Object.assign(new File([], path.split('/').at(-1)!), { webkitRelativePath: path })
    const files = ['office/lcrs.yaml', 'office/notes.txt', 'office/old/lcrs.yaml', 'office/.x.yaml']
    expect(ofFolder(files.map(of)).map(({ webkitRelativePath }) => webkitRelativePath)).toEqual([
      'office/lcrs.yaml',
    ])
  })

  it('are refused if they are something else, or nothing', async () => {
    expect(await refusal([new File(['x'], 'notes.txt')])).toMatch(/^notes\.txt is no file/)
    expect(await refusal([new File(['x'], 'all.zip')])).toMatch(/^all\.zip is no \.zip archive/)
    const nothing = 'There are no files such as phone-numbers.yaml here.'
    expect(await refusal([zip({ 'README.md': 'x' })])).toBe(nothing)
    expect(await refusal([])).toBe(nothing)
  })

  it('have 10 MB at most, all together', async () => {
    const half = 'x'.repeat(MAX_BYTES / 2)
    const files = [new File([half], 'clients.yaml'), new File([half], 'lcrs.yaml')]
    expect(await refusal(files)).toBeUndefined()
    const more = new File(['x'], 'applications.yaml')
    expect(await refusal([...files, more])).toContain('The limit is 10.0 MB in total')
    expect(await refusal([...files, zip({ 'applications.yaml': 'x' })])).toContain('The limit is')
  })

  it('of an archive that explodes are not unpacked', async () => {
    const bomb = zipped({ 'clients.yaml': 'x'.repeat(2 * MAX_BYTES) })
    expect(bomb.length).toBeLessThan(50_000)
    expect(await refusal([new File([bomb], 'bomb.zip')])).toContain('The limit is')
    // it says that it is small, in both of its headers
    const size = 2 * MAX_BYTES
    const view = new DataView(bomb.buffer)
    for (let i = 0; i + 4 <= bomb.length; i++)
      if (view.getUint32(i, true) === size) view.setUint32(i, 100, true)
    const read = await textsOf([new File([bomb], 'liar.zip')]).catch((error: unknown) => error)
    if (!(read instanceof Unreadable)) expect(JSON.stringify(read).length).toBeLessThan(1_000)
  })
})
