// Package query is the language in which people search lists: what they type becomes terms, each with
// its meaning in words, or a problem with the place of what is wrong. It knows amounts, days and sets of
// words, and nothing of the service: what can be searched is a [Language], and [Columns] say where in a table
// it is found: [Columns.Where] makes a condition of the terms.
//
// # Grammar
//
//	query   = { term }                     all of them must hold
//	term    = [ "-" ] ( field ":" values | values )
//	values  = value { "," value }          any of them must hold
//	value   = word | '"' text '"' | [ "*" ] part [ "*" ] | comparison | range
//	compare = ( ">" | ">=" | "<" | "<=" | "=" ) number
//	range   = number ".." number           either may be left out
//
// Letter case is ignored. In quotation marks \" and \\ stand for a quotation mark and a backslash.
// A value without a field is a word of a field with such words, a comparison or a range of amounts, a day or a
// range of days, or else text that is looked for anywhere.
//
// Amounts are exact decimals in major units ([Decimal]): there are no floats here.
package query
