/** The logo: four jacks and one cord. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden>
      <path
        d="M7 8.5C7 17 17 7 17 15.5"
        stroke="var(--brass)"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
      <circle cx="7" cy="7.6" r="2.8" fill="var(--brass)" />
      <circle cx="17" cy="16.4" r="2.8" fill="var(--brass)" />
      <circle cx="17" cy="7.6" r="1.8" fill="var(--text-3)" />
      <circle cx="7" cy="16.4" r="1.8" fill="var(--text-3)" />
    </svg>
  )
}
