import { send } from './api'
import { keepBrand } from './brand'
import { capabilities } from './capabilities'
import { brands } from './endpoints'
import { claims } from './session'

/** Takes over the brand of the user's provider, which another person may have changed. */
export async function syncBrand() {
  if (!(await capabilities()) || claims()?.scope === 'admin') return
  keepBrand((await send(brands.own, {})).brand)
}
