/** Signs that a write starts work which a read tells, with their weights. */

/**
 * Weights by sign, in halves: a regression over labelled writes, adjusted by hand. A sign of -6
 * rules work out, unless nearly all others tell it.
 */
export const WEIGHTS = {
  // the write
  /** Answers with 202. */
  accepted: 2.5,
  /** A text says that the work goes on after the response. */
  goesOn: 1.5,
  /** Its name, its summary or its path has a verb that starts work. */
  startVerb: 1,
  /** A text says that it returns when the work is done. */
  atOnce: -6,
  /** Only looks at what it is given. */
  checks: -6,
  update: -4,
  patch: -2,
  /** Ends work, or waits for it. */
  endsWork: -5,
  /** Creates a thing whose state people decide. */
  lastingPath: -1.5,
  /** Creates a thing that only says what is to be done later. */
  definition: -2,
  /** Sets a state. */
  setsStatus: -6,
  /** Responds with a URL to which the caller has to upload what the work needs. */
  awaitsUpload: -6,
  // the state that the read returns
  /** Values that go on, and values of an end. */
  described: 1.5,
  /** Values of a failure. */
  fails: 1,
  /** A text without documented values. */
  plain: 1,
  flag: 2.5,
  /** The read answers with 202 until the work is done. */
  readAccepted: 0.5,
  /** A state that only machines set, by its name. */
  provisioning: 0.5,
  /** A value of a thing that a machine sets up. */
  setsUp: -0.5,
  /** A thing that is in use at the end. */
  rests: -0.5,
  /** A value of a thing that is there without running. */
  stops: -1.5,
  /** `ended` is the only end, as that of a stream or a meeting. */
  ends: -1.5,
  /** A value that a person ends. */
  personal: -1.5,
  manyPersonal: -1.5,
  /** A value that asks somebody for something. */
  waits: -6,
  /** Inside another object. */
  deep: -0.5,
  /** Of a part of a thing, and not of the thing itself. */
  part: -2.5,
  /** A name of its own, such as `requestState`. */
  ownName: -0.5,
  /** The path or the name of the read is that of a state. */
  statePath: 0.5,
  /** An error, a result or an end beside the state. */
  outcome: 0.5,
  /** The thing is a job by its name. */
  jobThing: 1,
  /** It is one that people do too. */
  sharedThing: -2.5,
  /** The thing is one whose state people decide. */
  lastingThing: -1.5,
  /** Callers tell how it ended. */
  reported: -6,
  // the way between them
  /** The response has the ID under the name that the read takes. */
  namedId: 3,
  /** The response has the ID of a thing with the noun of the read. */
  nounId: 2.5,
  /** The ID of a new thing, or of one with the schema of the read. */
  ownId: 3.5,
  /** The only ID of the response. */
  onlyId: 1.5,
  /** The ID of another thing in a thing. */
  otherId: -3,
  /** The response names its ID as that of a job. */
  handle: 1,
  /** The read is right below the path of the write, or below its collection. */
  child: 0.5,
  /** The read is that of the thing in the path of the call. */
  place: 3,
  /** The read needs nothing. */
  alone: -1.5,
  // all three together
  /** A text of the write names the read. */
  named: 1,
  /** A new thing, which a machine sets up. */
  setUpChild: 3,
  /** A read of another thing with the same schema. */
  plainOfOther: -3.5,
  /** A read of things of the same name in another place. */
  namesake: -3.5,
  /** The caller sets the state. */
  callerSets: -6,
  /** The response has the state, which can only be one that has ended. */
  startedEnded: -6,
  /** Another request starts the thing. */
  startedLater: -6,
  /** Another request brings the file that the work needs. */
  filled: -6,
  /** The response has the thing of the call again. */
  ownThing: -6,
  /** The thing at the path of the call, which has been created before. */
  changed: -1,
  /** The thing of the call, which it removes. */
  removedPlace: -6,
  /** A thing above the one of the call. */
  placeAbove: -2,
  /** A thing of which the call makes a part. */
  placeOfPart: -4,
} as const;

/** Least weight of all signs together. */
export const MIN_WEIGHT = 6;

export type Sign = keyof typeof WEIGHTS;

/** Signs that are there. */
export const signsOf = (signs: { readonly [sign in Sign]?: boolean }): readonly Sign[] =>
  (Object.keys(signs) as readonly Sign[]).filter((sign) => signs[sign]);

/** Sum of the weights of signs. */
export const weigh = (signs: readonly Sign[]): number =>
  signs.reduce((sum, sign) => sum + WEIGHTS[sign], 0);
