import type { File as ConfigFile } from '@switchroom/config/files'
import { t } from '@switchroom/contract'
import { sizeText } from '../../health/system-health/size-text'

/** All files together. Larger ones are no configuration that people wrote. */
export const MAX_BYTES = 10_000_000

/** The chosen files cannot be read; the message says why. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

const YAML = /\.ya?ml$/i
const ZIP = /\.zip$/i
const isFile = (name: string) => YAML.test(name) && !name.startsWith('.')
const lastPart = (path: string) => path.split('/').at(-1)!

type Found = { name: string; bytes: number; text: () => Promise<string> }

/**
 * The texts of files of configuration: those that were chosen, and those within chosen folders and archives. What else
 * is in a folder is left out; what was named itself and cannot be one is refused.
 */
export async function textsOf(chosen: readonly File[]): Promise<ConfigFile[]> {
  const found: Found[] = []
  for (const file of chosen) {
    if (ZIP.test(file.name)) found.push(...(await inArchive(file)))
    else if (isFile(file.name)) found.push({ ...sized(file), text: () => file.text() })
    else if (!isOfFolder(file))
      throw new Unreadable(
        t(
          '{name} is no file of configuration. Choose files that end in .yaml, or a .zip of them.',
          {
            name: file.name,
          },
        ),
      )
  }
  refuseLarge(found.reduce((sum, { bytes }) => sum + bytes, 0))
  if (found.length === 0)
    throw new Unreadable(t('There are no files such as phone-numbers.yaml here.'))
  return Promise.all(found.map(async ({ name, text }) => ({ name, text: await text() })))
}

const sized = ({ name, size }: File) => ({ name, bytes: size })
const isOfFolder = (file: File) => Boolean(file.webkitRelativePath)

/** Files directly in the chosen folder, as the command line takes them. */
export const ofFolder = (files: readonly File[]) =>
  files.filter(
    ({ name, webkitRelativePath }) => isFile(name) && webkitRelativePath.split('/').length <= 2,
  )

function refuseLarge(bytes: number) {
  if (bytes > MAX_BYTES)
    throw new Unreadable(
      t('These files have {size}. The limit is {most} in total.', {
        size: sizeText(bytes),
        most: sizeText(MAX_BYTES),
      }),
    )
}

async function inArchive(file: File): Promise<Found[]> {
  refuseLarge(file.size)
  const { unzipSync, strFromU8 } = await import('fflate')
  let bytes = 0
  try {
    const entries = unzipSync(new Uint8Array(await file.arrayBuffer()), {
      // nothing is unpacked that says it is too large, and no more than it says
      filter: ({ name, originalSize }) => {
        if (!isFile(lastPart(name)) || name.split('/').length > 2) return false
        bytes += originalSize
        refuseLarge(bytes)
        return true
      },
    })
    return Object.entries(entries).map(([path, content]) => ({
      name: lastPart(path),
      bytes: content.length,
      text: async () => strFromU8(content),
    }))
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(t('{name} is no .zip archive that can be read.', { name: file.name }))
  }
}

/** Files that were dropped, and those in dropped folders. */
export async function dropped({ items, files }: DataTransfer): Promise<File[]> {
  // before anything is waited for: then the browser forgets them
  const entries = [...items].map((item) => item.webkitGetAsEntry())
  if (!entries.some((entry) => entry?.isDirectory)) return [...files]
  const each = entries.map((entry) =>
    entry?.isDirectory
      ? inFolder(entry as FileSystemDirectoryEntry)
      : fileOf(entry as FileSystemFileEntry),
  )
  return (await Promise.all(each)).flat()
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

async function inFolder(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) break
    all.push(...some)
  }
  const files = all.filter(({ name, isFile: is }) => is && isFile(name)) as FileSystemFileEntry[]
  return Promise.all(files.map(fileOf))
}
