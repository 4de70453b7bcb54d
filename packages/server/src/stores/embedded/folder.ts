import { DayFiles, type Use } from '../day-files.ts'
import { Shard } from './shard.ts'

/** The day files of call records. */
export class Folder extends DayFiles<Shard> {
  constructor(path: string, use: Use) {
    super(path, use, (file, day, use) => new Shard(file, day, use))
  }
}
