// said by the contract too, with all its schemas; the map of routes goes without
export const PAGE_SIZES = [25, 50, 100] as const
export const PAGE_SIZE = 25
