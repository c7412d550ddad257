/** The people on the board. */
export const PEOPLE = [
  { name: 'Ada Okafor', initials: 'AO', color: '#c2410c' },
  { name: 'Bruno Keller', initials: 'BK', color: '#0f766e' },
  { name: 'Chiara Rossi', initials: 'CR', color: '#7c3aed' },
  { name: 'Dmitri Volkov', initials: 'DV', color: '#1d4ed8' },
  { name: 'Elif Yılmaz', initials: 'EY', color: '#be185d' },
  { name: 'Farid Haddad', initials: 'FH', color: '#4d7c0f' },
  { name: 'Grace Liu', initials: 'GL', color: '#b45309' },
  { name: 'Hanna Lindqvist', initials: 'HL', color: '#0369a1' },
  { name: 'Ivo Marković', initials: 'IM', color: '#a21caf' },
  { name: 'Júlia Santos', initials: 'JS', color: '#15803d' },
  { name: 'Kenji Watanabe', initials: 'KW', color: '#b91c1c' },
  { name: 'Lerato Dlamini', initials: 'LD', color: '#4338ca' },
] as const
