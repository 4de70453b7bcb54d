// the contract has these too, but importing it would bring all its schemas into the map of screens
export const PAGE_SIZES = [25, 50, 100] as const
export const PAGE_SIZE = 25
