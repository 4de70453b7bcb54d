import { DayFiles, type Use } from '../../kit/day-files.ts'
import { Shard } from './shard.ts'

/** The day files of call records. `busy_ms`: how long is waited for another program that has locked one. */
export class Folder extends DayFiles<Shard> {
  constructor(path: string, use: Use, busy_ms = 5_000) {
    super(path, use, (file, day, use) => new Shard(file, day, use, busy_ms))
  }
}
