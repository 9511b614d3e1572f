/*
 * A model of begin, answer, recover, decide and take: consoles of a team that send the same payment, any of which may be
 * stopped for long or killed between any two steps, a service that carries it out or not, and people who decide what
 * became of it where the answer was lost. .ci/model explores every order of steps. Each BREAK_ takes one rule away, and
 * the exploration must notice. With -DPEOPLE it is about who decides and takes, else about what is sent.
 *
 * It is assumed that a service carries out what it receives within ten minutes, or never.
 */
#ifndef CONSOLES
#define CONSOLES 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 3
#endif
#define NOBODY CONSOLES
#define bit(i) (1 << (i))

/* What the ledger has of an attempt; a greater outcome is more certain. */
#define NONE 0
#define SENT 1
#define UNRESOLVED 2
#define REFUSED 3
#define ACCEPTED 4
byte outcome[ATTEMPTS];

#define UNDECIDED 0
#define NOTFOUND 1
#define FOUND 2
#define GAVEUP 3
byte verdict[ATTEMPTS];

/* An attempt is overdue 100 seconds after it was recorded, and old after ten minutes. */
bool overdue[ATTEMPTS], old[ATTEMPTS];

/* The service has received it; it has carried it out. */
byte posts[ATTEMPTS];
bool made[ATTEMPTS];

/* What each console does, with which attempt. A killed one is idle: another is started in its place. */
#define IDLE 0
#define RECORDED 1 /* the request has not left */
#define WAITING 2  /* it has */
byte does[CONSOLES], at[CONSOLES];

/* Whom a person was asked about before an attempt, and about whom no question is promised. */
byte asked[ATTEMPTS], over[ATTEMPTS];
bool told[ATTEMPTS]; /* that it was accepted */
byte next;

#ifdef PEOPLE
byte version; /* counts the decisions about the first attempt */
byte decided; /* at these versions, as bits */
byte holder = NOBODY;
byte saw[CONSOLES], sees[CONSOLES]; /* the version, and who had taken it, when the person looked */
#ifdef BREAK_SEEN
#define SEEN true
#else
#define SEEN (saw[_pid] == version)
#endif
#ifdef BREAK_LEASE
#define FREE true
#else
#define FREE (holder == NOBODY || holder == _pid)
#endif
#endif

inline begin(c) {
	d_step {
		for (i : 0 .. ATTEMPTS - 1) {
			if /* the guard: the person is shown these, and confirms again */
			:: outcome[i] == SENT || outcome[i] == ACCEPTED && !old[i] -> asked[next] = asked[next] | bit(i)
#ifndef BREAK_GUARD
			:: outcome[i] == UNRESOLVED && verdict[i] == UNDECIDED -> asked[next] = asked[next] | bit(i)
#endif
			:: outcome[i] == UNRESOLVED && (verdict[i] == FOUND || verdict[i] == GAVEUP) && !old[i] -> asked[next] = asked[next] | bit(i)
			:: else
			fi;
			if /* what is known to be made, or given up, is asked about for ten minutes */
			:: old[i] && (outcome[i] == ACCEPTED || verdict[i] == FOUND || verdict[i] == GAVEUP) -> over[next] = over[next] | bit(i)
			:: else
			fi
		}
		i = 0;
		outcome[next] = SENT; at[c] = next; does[c] = RECORDED; next++
	}
}

inline leaves(c) {
	d_step {
		posts[at[c]]++;
		assert(posts[at[c]] <= 1);
		assert(outcome[at[c]] != NONE); /* recorded before the first byte */
		does[c] = WAITING
	}
}

inline makes(a) {
	d_step {
		made[a] = true;
		for (i : 0 .. ATTEMPTS - 1) { /* of each two that were made, a person was asked about the earlier one */
			if
			:: i < a && made[i] -> assert((asked[a] | over[a]) & bit(i))
			:: i > a && made[i] -> assert((asked[i] | over[i]) & bit(a))
			:: else
			fi
		}
		i = 0
	}
}

inline ends(c, o) {
	d_step {
#ifdef BREAK_CERTAIN
		if :: outcome[at[c]] == SENT -> outcome[at[c]] = o :: else fi;
#else
		if :: outcome[at[c]] < o -> outcome[at[c]] = o :: else fi;
#endif
		if :: o == ACCEPTED -> told[at[c]] = true; assert(outcome[at[c]] == ACCEPTED) :: else fi;
		does[c] = IDLE; at[c] = 0
	}
}

#ifdef PEOPLE
inline decides(c, v) {
	d_step {
		assert(!(decided & bit(version))); /* one decides */
		assert(holder == NOBODY || holder == c); /* and nobody about what another has taken */
		decided = decided | bit(version);
		verdict[0] = v; holder = NOBODY; version++
	}
}
#endif

active [CONSOLES] proctype console() {
	byte i;
end:	do
	:: atomic { does[_pid] == IDLE && next < ATTEMPTS -> begin(_pid) }
#ifdef BREAK_RECORD
	:: atomic { does[_pid] == IDLE && next < ATTEMPTS -> at[_pid] = next; leaves(_pid) }
#endif
#ifdef BREAK_LATE
	:: atomic { does[_pid] == RECORDED -> leaves(_pid) }
#else
	:: atomic { does[_pid] == RECORDED && !overdue[at[_pid]] -> leaves(_pid) }
	:: atomic { does[_pid] == RECORDED && overdue[at[_pid]] -> ends(_pid, REFUSED) } /* not sent */
#endif
#ifdef BREAK_ONCE
	:: atomic { does[_pid] == WAITING -> leaves(_pid) }
#endif
	:: atomic { does[_pid] == WAITING && made[at[_pid]] -> ends(_pid, ACCEPTED) }
	:: atomic { does[_pid] == WAITING && !made[at[_pid]] -> posts[at[_pid]] = 0; ends(_pid, REFUSED) } /* it is refused for good */
	:: atomic { does[_pid] == WAITING -> ends(_pid, UNRESOLVED) } /* the answer is lost */
	:: atomic { does[_pid] != IDLE -> does[_pid] = IDLE; at[_pid] = 0 } /* it is killed */
#ifdef PEOPLE
	:: atomic { saw[_pid] != version || sees[_pid] != holder -> saw[_pid] = version; sees[_pid] = holder } /* the person looks */
	:: atomic { outcome[0] == UNRESOLVED && version < 3 && SEEN && FREE ->
#ifdef BREAK_SEEN
		if :: version > saw[_pid] -> version = saw[_pid] :: else fi;
#endif
		if
		:: old[0] && !made[0] -> decides(_pid, NOTFOUND)
		:: made[0] -> decides(_pid, FOUND)
		:: decides(_pid, GAVEUP)
		:: decides(_pid, UNDECIDED)
		fi }
	:: atomic { outcome[0] == UNRESOLVED && holder != _pid && (holder == NOBODY || holder == sees[_pid]) -> holder = _pid }
	:: atomic { holder == _pid -> holder = NOBODY } /* released, or 15 minutes are over */
#endif
	od
}

active proctype world() {
	byte i, a;
end:	do
	:: atomic {
		if :: a = 0 :: ATTEMPTS > 1 -> a = 1 :: ATTEMPTS > 2 -> a = 2 fi;
		if
#ifdef BREAK_LATE
		:: posts[a] == 1 && !made[a] && outcome[a] != REFUSED -> makes(a)
#else
		:: posts[a] == 1 && !made[a] && outcome[a] != REFUSED && !old[a] -> makes(a) /* also when nobody waits for it */
#endif
		:: outcome[a] != NONE && !overdue[a] -> overdue[a] = true
		:: overdue[a] && !old[a] -> old[a] = true
		:: overdue[a] && outcome[a] == SENT -> outcome[a] = UNRESOLVED /* recovered by any console */
#ifndef PEOPLE
		:: outcome[a] == UNRESOLVED && verdict[a] == UNDECIDED ->
			if
			:: old[a] && !made[a] -> verdict[a] = NOTFOUND
			:: made[a] -> verdict[a] = FOUND
			:: verdict[a] = GAVEUP
			fi
#endif
		:: else
		fi;
		a = 0
		}
	:: d_step { /* what people were told stays */
		told[0] || ATTEMPTS > 1 ->
		i = 0;
		do :: i < ATTEMPTS -> assert(!told[i] || outcome[i] == ACCEPTED); i++ :: else -> break od;
		i = 0 }
	od
}
