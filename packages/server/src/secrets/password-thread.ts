import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { PasswordAnswer, PasswordTask } from './password-threads.ts'
import { hashOptions } from './passwords.ts'

// on Linux each thread has a priority of its own; elsewhere this would be the whole process's
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

function work({ plain, stored }: PasswordTask): PasswordAnswer {
  try {
    return {
      result: stored === undefined ? hashSync(plain, hashOptions()) : verifySync(stored, plain),
    }
  } catch (e) {
    return stored === undefined ? { failure: String(e) } : { result: false }
  }
}

parentPort!.on('message', (task: PasswordTask) => parentPort!.postMessage(work(task)))
