import { t } from '@switchroom/contract'
import { Link, useMatches } from '@tanstack/react-router'
import {
  CircleUser,
  Flag,
  Keyboard,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Search,
  ShieldCheck,
  SlidersHorizontal,
  Sun,
  UserRound,
} from 'lucide-react'
import { isSwitchroom } from '../lib/config'
import { useCrumbText } from '../lib/crumb'
import { linkTo } from '../lib/link-to'
import { savePreferences } from '../lib/save-preferences'
import { logOut } from '../lib/session-calls'
import { useProvider } from '../lib/use-provider'
import { IconButton } from '../ui/button'
import { Menu } from '../ui/menu'
import { setTheme, type Theme, useTheme } from '../ui/theme'
import { MOD } from './keys'
import { isHiddenFrom } from './menu'
import { ownUserHref, scopeLine, userName } from './user-box'
import './top-bar.css'

const themes = [
  { value: 'system', label: t('System'), icon: <Monitor aria-hidden /> },
  { value: 'light', label: t('Light'), icon: <Sun aria-hidden /> },
  { value: 'dark', label: t('Dark'), icon: <Moon aria-hidden /> },
] as const

export function chooseTheme(theme: Theme) {
  // at once, before the script that saves it is there
  setTheme(theme)
  void savePreferences({ theme })
}

type Props = { onMenu: () => void; onSearch: () => void; onKeys: () => void }

export function TopBar({ onMenu, onSearch, onKeys }: Props) {
  const theme = useTheme()
  return (
    <header className="top-bar">
      <IconButton label={t('Open menu')} className="top-bar-menu" onClick={onMenu}>
        <MenuIcon />
      </IconButton>
      <Breadcrumb />
      <SearchButton onClick={onSearch} />
      <Menu
        trigger={
          <IconButton label={t('Theme')}>{themes.find((t) => t.value === theme)?.icon}</IconButton>
        }
      >
        {({ MenuChoice }) => (
          <MenuChoice label={t('Theme')} value={theme} options={themes} onChange={chooseTheme} />
        )}
      </Menu>
      <Menu
        trigger={
          <IconButton label={t('User menu')}>
            <CircleUser />
          </IconButton>
        }
      >
        {({ MenuHead, MenuLine, MenuLink, MenuItem }) => (
          <>
            <MenuHead>
              <strong>{userName()}</strong>
              <br />
              {scopeLine()}
            </MenuHead>
            <MenuLine />
            <MenuLink icon={<UserRound aria-hidden />} link={<Link {...linkTo(ownUserHref())} />}>
              {t('Edit user')}
            </MenuLink>
            <MenuLink
              icon={<SlidersHorizontal aria-hidden />}
              link={<Link {...linkTo('/internal/preferences')} />}
            >
              {t('Preferences')}
            </MenuLink>
            {isSwitchroom() && (
              <MenuLink
                icon={<ShieldCheck aria-hidden />}
                link={<Link {...linkTo('/internal/security')} />}
              >
                {t('Security')}
              </MenuLink>
            )}
            {isSwitchroom() && (
              <MenuLink
                icon={<Flag aria-hidden />}
                link={<Link {...linkTo('/internal/getting-started')} />}
              >
                {t('Getting started')}
              </MenuLink>
            )}
            <MenuItem icon={<Keyboard aria-hidden />} onClick={onKeys}>
              {t('Keyboard shortcuts')}
            </MenuItem>
            <MenuItem icon={<LogOut aria-hidden />} onClick={() => void logOut()}>
              {t('Log out')}
            </MenuItem>
            {isSwitchroom() && (
              <MenuItem icon={<LogOut aria-hidden />} onClick={() => void logOut('everywhere')}>
                {t('Log out everywhere')}
              </MenuItem>
            )}
          </>
        )}
      </Menu>
    </header>
  )
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="top-bar-search"
      aria-haspopup="dialog"
      aria-keyshortcuts={MOD === '⌘' ? 'Meta+K' : 'Control+K'}
      title={t('Search')}
      onClick={onClick}
    >
      <Search aria-hidden />
      <span>{t('Search')}</span>
      <kbd aria-hidden>{MOD} K</kbd>
    </button>
  )
}

function Breadcrumb() {
  const match = useMatches().at(-1)
  const last = match?.staticData
  const provider = useProvider()
  const name = useCrumbText()
  const thing = last?.thing && { name: name ?? last.thing.crumb, href: last.thing.href }
  // a thing's form is named by what is done there
  const current = thing ? (last?.crumb ?? thing.name) : (name ?? last?.crumb)
  return (
    <nav className="breadcrumb" aria-label={t('Breadcrumb')}>
      <ol>
        {last?.under && !isHiddenFrom(last.under.href, provider) && (
          <li>
            <Link
              {...linkTo(last.under.href)}
              params={match?.params}
              {...(last.under.keepsSearch && { search: true as never })}
            >
              {last.under.crumb}
            </Link>
          </li>
        )}
        {thing && last.crumb && (
          <li className="breadcrumb-name">
            <Link {...linkTo(thing.href)} params={match?.params}>
              {thing.name}
            </Link>
          </li>
        )}
        {current && (
          <li className={last?.crumb ? undefined : 'breadcrumb-name'}>
            <span aria-current="page">{current}</span>
          </li>
        )}
      </ol>
    </nav>
  )
}
