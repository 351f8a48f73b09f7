/** The mark: a house whose walls hold two lines of a ledger. Where it gives way, its name is only heard below 360 px, with touch 424. */
export function Wordmark({ givesWay = false }: { givesWay?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 font-serif text-xl font-semibold tracking-tight">
      <svg aria-hidden viewBox="0 0 32 32" className="size-8 shrink-0">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M7 15 16 7l9 8v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 7 24z"
          className="fill-none stroke-on-accent stroke-2"
          strokeLinejoin="round"
        />
        <path d="M11.5 17h9M11.5 21h5.5" className="fill-none stroke-on-accent stroke-2" strokeLinecap="round" />
      </svg>
      <span className={givesWay ? 'max-[22.4rem]:sr-only pointer-coarse:max-[26.5rem]:sr-only' : ''}>Homeledger</span>
    </span>
  );
}
