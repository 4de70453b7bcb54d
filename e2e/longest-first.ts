import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Vitest takes the largest files first where it does not know yet how long they last. Those that visit every
 * screen are the smallest, and last longest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const long = (file: TestSpecification) => /\/screens-\w+\.e2e\.ts$/.test(file.moduleId)
    return [...sorted.filter(long), ...sorted.filter((file) => !long(file))]
  }
}
