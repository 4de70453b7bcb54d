/** A save of several requests failed midway. The message says what was saved and what was not. */
export class PartlySaved extends Error {
  override name = 'PartlySaved'
}
