/** Words for people on what a call did, all that was asked; blank where people see it anyway. */
export interface Receipt {
  text: string
  /** People still have to decide: no other words may claim that it is done. */
  isAlone?: true
}
