/** Says exactly what a save of several calls has done and what it has not. */
export class PartlySaved extends Error {
  override name = 'PartlySaved'
}
