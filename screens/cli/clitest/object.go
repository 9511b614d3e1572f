package clitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"paydesk/screens/cli/output"
)

// CheckObject checks that a line is an object as it is documented: no member is missing, further, empty or null where it
// should be left out, no number has a fraction, amounts are decimal strings, and nothing in doubt is a success.
func CheckObject(line string) error {
	var head struct {
		Schema output.Schema `json:"schema"`
	}
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return err
	}
	for _, o := range Objects() {
		if o.Schema() == head.Schema {
			return errors.Join(checkMembers(line, reflect.TypeOf(o)), checkValues(line))
		}
	}
	return fmt.Errorf("no object has the schema %q", head.Schema)
}

// checkMembers reads a line as its shape and writes it again, which gives the same line only where it has the members of
// the shape.
func checkMembers(line string, t reflect.Type) error {
	v := reflect.New(t)
	d := json.NewDecoder(strings.NewReader(Members(line)))
	d.DisallowUnknownFields()
	if err := d.Decode(v.Interface()); err != nil {
		return err
	}
	var again bytes.Buffer
	output.New(&again, output.Options{Format: output.JSON}).Object(v.Elem().Interface().(output.Object))
	if again.String() != line {
		return fmt.Errorf("its shape is %s", again.String())
	}
	return nil
}

func checkValues(line string) error {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return checkValue("", v)
}

// checkValue checks the value of a named member, and all in it.
func checkValue(name string, v any) error {
	switch v := v.(type) {
	case nil:
		return fmt.Errorf("%s is null", name)
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return fmt.Errorf("%s is %s, which readers make a float of", name, v)
		}
	case []any:
		for _, one := range v {
			if err := checkValue(name, one); err != nil {
				return err
			}
		}
	case map[string]any:
		for member, of := range v {
			if err := checkValue(member, of); err != nil {
				return err
			}
		}
		return errors.Join(checkMoney(v), checkSuccess(v))
	}
	return nil
}

var (
	whole   = regexp.MustCompile(`^-?[0-9]+$`)
	decimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
)

// checkMoney checks that an amount and its minor units are the same digits.
func checkMoney(o map[string]any) error {
	minor, is := o["minor"].(string)
	if !is {
		return nil
	}
	if !whole.MatchString(minor) {
		return fmt.Errorf("minor is %q", minor)
	}
	amount, known := o["amount"].(string)
	exponent, said := o["exponent"].(json.Number)
	if known != said {
		return errors.New("an amount has no exponent, or an exponent no amount")
	}
	_, fraction, _ := strings.Cut(amount, ".")
	if known && (!decimal.MatchString(amount) || fmt.Sprint(len(fraction)) != exponent.String() || trimmed(amount) != trimmed(minor)) {
		return fmt.Errorf("%q is not %q with %s decimals", amount, minor, exponent)
	}
	return nil
}

// trimmed are the digits of an amount, without zeros in front.
func trimmed(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign = "-"
	}
	return sign + strings.TrimLeft(strings.ReplaceAll(strings.TrimPrefix(s, "-"), ".", ""), "0")
}

// checkSuccess checks that a success is a final one, about which nothing is in doubt.
func checkSuccess(o map[string]any) error {
	status, is := o["status"].(map[string]any)
	if !is || status["success"] != true {
		return nil
	}
	_, differs := o["mismatch"]
	unresolved, _ := o["unresolved"].(bool)
	switch {
	case status["final"] != true || status["means"] != "SUCCESSFUL":
		return fmt.Errorf("%v is no success", status)
	case differs, unresolved, o["problem"] != nil:
		return errors.New("a success is in doubt")
	}
	return nil
}

// Members is a line without its schema, which stands first.
func Members(line string) string {
	_, members, _ := strings.Cut(line, ",")
	return "{" + members
}

// Objects are an example of every object, for the documentation and the tests of what commands print.
func Objects() []output.Object {
	return []output.Object{
		output.Refusal{}, output.Doctor{}, output.Journal{}, output.Audit{}, output.PaymentStatus{}, output.Link{}, output.Profile{}, output.Config{}, output.Key{},
		output.Attempt{}, output.AttemptHistory{}, output.Decision{}, output.Validation{}, output.Finalization{}, output.Authentication{},
		output.Initiated{}, output.Challenge{}, output.Collected{}, output.Transaction{}, output.Transactions{}, output.Totals{},
		output.Webhook{}, output.WebhookDetail{}, output.Delivery{}, output.Forward{}, output.Sandbox{},
	}
}
