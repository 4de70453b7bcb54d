const KEY = 'terms-accepted'

/** For this tab: whoever comes back to the first step has not changed their mind. */
export const termsAccepted = {
  read: () => sessionStorage.getItem(KEY) === '1',
  keep: (accepted: boolean) =>
    accepted ? sessionStorage.setItem(KEY, '1') : sessionStorage.removeItem(KEY),
}
