export const load = async (_: object) => undefined
export function PhoneNumbers() {
  return <h1>Phone numbers</h1>
}
