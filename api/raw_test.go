package api_test

import (
	"reflect"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// The types that screens receive. A text in them has a type that cannot contain anything a terminal
// interprets: cleaned free text, or a word of an ASCII grammar.
var resultTypes = []any{
	api.Payment{}, api.Link{}, api.Channels{}, api.Authentication{}, api.Finalization{}, api.PaymentStatus{}, api.Page{},
	api.Refusal{}, api.Unresolved{}, api.Failure{},
}

// safeTypes are the types whose text can be displayed as it is.
var safeTypes = map[reflect.Type]bool{
	reflect.TypeFor[api.Text](): true, reflect.TypeFor[api.Reference](): true, reflect.TypeFor[api.Alias](): true,
	reflect.TypeFor[api.ChannelAlias](): true, reflect.TypeFor[api.Address](): true, reflect.TypeFor[api.Markup](): true,
	reflect.TypeFor[money.Amount](): true, reflect.TypeFor[time.Time](): true,
}

func TestNoResultContainsRawText(t *testing.T) {
	texts := 0
	var look func(where string, of reflect.Type)
	look = func(where string, of reflect.Type) {
		if safeTypes[of] {
			texts++
			return
		}
		switch of.Kind() {
		case reflect.Struct:
			for i := range of.NumField() {
				look(where+"."+of.Field(i).Name, of.Field(i).Type)
			}
		case reflect.Pointer, reflect.Slice, reflect.Array:
			look(where, of.Elem())
		case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint64: // states, counts and hashes
		default:
			t.Errorf("%s is a %v: what came can be had from it", where, of)
		}
	}
	for _, answer := range resultTypes {
		look(reflect.TypeOf(answer).Name(), reflect.TypeOf(answer))
	}
	if texts < 40 {
		t.Errorf("only %d texts were looked at", texts)
	}
	t.Logf("%d texts", texts)
}
