import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canMount, smallDisk } from '../../test/full-disk.ts'
import { readConfig } from '../config/config.ts'
import { refuseUnwritable } from './data-folder.ts'

const mysql = {
  JAMBONES_MYSQL_HOST: 'db',
  JAMBONES_MYSQL_USER: 'u',
  JAMBONES_MYSQL_DATABASE: 'd',
  JWT_SECRET: 'the secret that signs sessions',
}

describe.runIf(canMount)('a data folder', () => {
  let disk: NonNullable<ReturnType<typeof smallDisk>>
  beforeEach(() => {
    disk = smallDisk(1_000_000)!
  })
  afterEach(() => disk.close())
  const refuse = (environment: Record<string, string> = {}) =>
    refuseUnwritable(readConfig({ SWITCHROOM_DATA: join(disk.folder, 'data'), ...environment }))

  it('that cannot be written is named', () => {
    const data = join(disk.folder, 'data')
    // made later
    refuse()
    mkdirSync(data)
    writeFileSync(join(data, 'switchroom.db'), '')
    refuse()
    execFileSync('mount', ['-o', 'remount,ro', disk.folder])
    const sentence = `SWITCHROOM_DATA: ${data} cannot be written (the file system is read-only).`
    expect(() => refuse()).toThrow(sentence)
    expect(() => refuse({ ...mysql, SWITCHROOM_INGEST_HEP: '9060' })).toThrow(sentence)
    // a platform that keeps everything elsewhere
    refuse(mysql)
  })
})
