export const load = async (_: object) => undefined
export const NewPhoneNumber = () => <h1>Add a phone number</h1>
export const EditPhoneNumber = () => <h1>Edit phone number</h1>
