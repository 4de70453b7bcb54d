// loaded with the first brand that has a color, which few servers have
export { brandStyles } from '@switchroom/contract'
